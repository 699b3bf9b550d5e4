// A version's part of the changelog.

/**
 * The text below the heading `## <version> - <date>`; for a version that is not released yet, the text below `## Unreleased`.
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const dated = sections.find((one) =>
    /^\S+ - \d{4}-\d\d-\d\d\n/.test(one) ? one.startsWith(`${version} `) : false,
  );
  const section = dated ?? sections.find((one) => /^Unreleased\n/.test(one)) ?? '';
  return { notes: section.replace(/^.*\n/, '').trim(), isDated: dated !== undefined };
}
