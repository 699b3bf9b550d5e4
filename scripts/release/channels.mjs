// The files for Homebrew, Scoop and SchemaStore. All of them refer to the package on npm.
import { createHash } from 'node:crypto';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** The integrity of a file in npm's form. */
export const integrityOf = (bytes) =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

const addressOf = ({ name }, version) =>
  `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`;
const homepageOf = ({ homepage }) => homepage.replace(/#.*/, '');
/** Both want a short description without an article or a full stop. */
const DESCRIPTION = 'Install hooks from MCP servers in coding agents';

/** A formula for Homebrew. */
export const formula = (pkg, sum) => `class McpHooks < Formula
  desc "${DESCRIPTION}"
  homepage "${homepageOf(pkg)}"
  url "${addressOf(pkg, pkg.version)}"
  sha256 "${sum}"
  license "${pkg.license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/${pkg.name} --version").strip
  end
end
`;

/** A manifest for Scoop. Scoop makes no commands from Node scripts, so the manifest writes a program for `cmd`. */
export const scoopManifest = (pkg, sum) => ({
  version: pkg.version,
  description: DESCRIPTION,
  homepage: homepageOf(pkg),
  license: pkg.license,
  depends: 'nodejs-lts',
  url: addressOf(pkg, pkg.version),
  hash: sum,
  extract_dir: 'package',
  pre_install: `Set-Content "$dir\\${pkg.name}.cmd" '@node "%~dp0${pkg.bin[pkg.name].replaceAll('/', '\\')}" %*' -Encoding Ascii`,
  bin: `${pkg.name}.cmd`,
  checkver: { url: `https://registry.npmjs.org/${pkg.name}/latest`, jsonpath: '$.version' },
  autoupdate: { url: addressOf(pkg, '$version') },
});

/** The entry for a schema in SchemaStore's list. */
export const schemaStoreEntry = ({ $id, description }) => ({
  name: 'mcp-hooks',
  description,
  fileMatch: ['mcp-hooks.json'],
  url: $id,
});
