/**
 * Where a secret could be: a few patterns that match everything secrets.cts finds, but not ordinary text. Loading the rules and
 * their patterns takes longer than everything else the runner does with a short text.
 */

/** The characters of a token. */
const RUN = /[\w+/=.%@~$:-]{20}/.source;

/** Tokens that may be shorter than `RUN`: Slack's, and a JWT with an empty payload. */
const SHORT = /x(?:ox[a-z]|app|wfp)-|(?:ey[JA]|ewo)[\w-]{8}/.source;

const KEYS = /-----BEGIN|Private-Lines/.source;

const ADDRESS = /:\/\/[^\s/@:"'`]{0,100}:[^\s/"'`]{4,300}@/.source;

/** Programs with options that take a secret as a separate word. curl's cookies match even if they are not secret. */
const PROGRAM =
  /(?:(?<![\w.-])|(?<=\\[nrtbf]))(?:mysql|mariadb|sshpass|redis-cli|docker|podman|nerdctl|helm|az|aws|openssl|https?|sqlcmd|bcp|zip|unzip|mongo|7za?|ssh-keygen|ldap|smbclient|htpasswd|vault|setx|ConvertTo-SecureString)[\w-]{0,20}\s|curl\s/
    .source;

/** What may come between the name of a secret and its value. */
const IS =
  /s?\\{0,7}["']?(?:\s{0,50}[:=]|%3D|>|[,\s]\s{0,80}\\{0,7}["']?value)|(?<=-[\w.-]{0,100}) /.source;
const NAME = `(?:passw(?:or)?d|passphrase|pass|pwd|secret|token|key(?:_base)?|credentials?|auth(?:orization)?|bearer|basic)(?:${IS})`;
const SCHEME = /(?:bearer|basic)\s{1,9}[\w+/=.~-]{16}/.source;
const NETRC = /password(?:\s|\\[nrt]){1,9}\S{8}/.source;
const COOKIE = /cookie\\{0,7}["']? ?[:=]/.source;

const ANY = [
  new RegExp([RUN, SHORT, KEYS, ADDRESS, PROGRAM].join('|')),
  new RegExp([NAME, SCHEME, NETRC, COOKIE].join('|'), 'i'),
];

/** Whether it is worth loading the rules for a text. */
export const hasCandidate = (text: string): boolean => ANY.some((one) => one.test(text));
