/**
 * Tokens of well-known services, each with the public page that shows its form. The values are made up. They are put together here,
 * so that tools that search for keys find none in these files.
 */

/** Characters that look random, but are the same each time. */
export function noise(length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYz'): string {
  return Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
}
const hex = (length: number) => noise(length, '0a1b2c3d4e5f6789');
const upper = (length: number) => noise(length, 'A2B3C4D5E6F7GHIJKLMN');
const lower = (length: number) => noise(length, 'a2b3c4d5e6f7ghijklmn');
const letters = (length: number) => noise(length, 'aBdEgHjKmNpQrStUvWxYzcDfGiJkL');
const digits = (length: number) => noise(length, '1357924680');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const jwt = ['{"alg":"HS256"}', '{"sub":"1234567890"}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/** The name, the page, the text, and the part of it that must be masked. */
export type Form = readonly [name: string, page: string, text: string, secret: string];

const alone = (name: string, page: string, ...parts: readonly string[]): Form => [
  name,
  page,
  parts.join(''),
  parts.slice(1).join(''),
];
const within = (name: string, page: string, before: string, secret: string, after = ''): Form => [
  name,
  page,
  `${before}${secret}${after}`,
  secret,
];

const GITLAB = 'https://docs.gitlab.com/security/tokens/';
const SLACK = 'https://docs.slack.dev/authentication/tokens/';
const GITHUB = 'https://github.blog/engineering/behind-githubs-new-authentication-token-formats/';
const AWS = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html';
const AZURE = 'https://learn.microsoft.com/azure/storage/common/';
/** The page for forms that only a scanner documents. */
const SCANNED =
  'https://docs.github.com/code-security/reference/secret-security/supported-secret-scanning-patterns';
const GITLEAKS = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml';

export const FORMS: readonly Form[] = [
  alone('GitHub, personal', GITHUB, 'ghp_', noise(36)),
  alone('GitHub, of a server', GITHUB, 'ghs_', noise(36)),
  alone('GitHub, fine-grained', GITHUB, 'github_pat_', `${noise(22)}_${noise(59)}`),
  ...['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'glsoat-'].map(
    (prefix) => alone(`GitLab, ${prefix}`, GITLAB, prefix, noise(20)),
  ),
  alone('GitLab, of a job', GITLAB, 'glcbt-', `64_${noise(20)}`),
  alone('GitLab, of a runner, old', GITLAB, 'GR1348941', noise(20)),
  alone('npm', 'https://docs.npmjs.com/about-access-tokens', 'npm_', noise(36)),
  alone('PyPI', 'https://pypi.org/help/#apitoken', 'pypi-', `AgEIcHlwaS5vcmc${noise(70)}`),
  alone('RubyGems', 'https://guides.rubygems.org/api-key-scopes/', 'rubygems_', hex(48)),
  alone('NuGet', 'https://learn.microsoft.com/nuget/nuget-org/publish-a-package', 'oy2', lower(43)),
  alone(
    'Artifactory',
    'https://jfrog.com/help/r/jfrog-platform-administration-documentation',
    'AKCp',
    noise(69),
  ),
  alone('Docker Hub', 'https://docs.docker.com/security/access-tokens/', 'dckr_pat_', noise(27)),
  within(
    "Docker's auth in config.json",
    'https://docs.docker.com/reference/cli/docker/login/',
    '{"auths":{"https://index.docker.io/v1/":{"auth":"',
    base64('ann:correct-horse-9'),
    '"}}}',
  ),
  alone(
    'Docker Swarm',
    'https://docs.docker.com/engine/swarm/swarm-mode/',
    'SWMTKN-1-',
    `${lower(50)}-${lower(25)}`,
  ),
  alone('Slack, bot', SLACK, 'xoxb-', `123456789012-1234567890123-${noise(24)}`),
  alone('Slack, user', SLACK, 'xoxp-', `123456789012-123456789012-123456789012-${hex(32)}`),
  alone('Slack, app', SLACK, 'xapp-', `1-A${upper(10)}-1234567890123-${hex(64)}`),
  alone('Slack, rotated', SLACK, 'xoxe.xoxp-', `1-${noise(140)}`),
  within(
    'Slack, webhook',
    'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/',
    `https://hooks.slack.${'com'}/services/T${upper(8)}/B${upper(8)}/`,
    noise(24),
  ),
  within(
    'Discord, webhook',
    'https://docs.discord.com/developers/resources/webhook',
    `https://discord.${'com'}/api/webhooks/123456789012345678/`,
    noise(68),
  ),
  within(
    'Discord, bot',
    'https://docs.discord.com/developers/reference',
    '',
    `M${noise(25)}.${noise(6)}.${noise(38)}`,
  ),
  within(
    'Telegram, bot',
    'https://core.telegram.org/bots/api',
    'bot ',
    `${digits(10)}:${'AA'}${noise(33)}`,
  ),
  alone(
    'Anthropic',
    'https://docs.claude.com/en/api/overview',
    `sk-${'ant'}-api03-`,
    `${noise(93)}AA`,
  ),
  alone(
    'OpenAI, old',
    'https://platform.openai.com/docs/api-reference/authentication',
    'sk-',
    `${noise(20)}T3BlbkFJ${noise(20)}`,
  ),
  alone(
    'OpenAI, of a project',
    'https://platform.openai.com/docs/api-reference/authentication',
    'sk-proj-',
    noise(64),
  ),
  alone(
    'OpenAI, of a service',
    'https://platform.openai.com/docs/api-reference/authentication',
    'sk-svcacct-',
    noise(64),
  ),
  alone(
    'OpenRouter',
    'https://openrouter.ai/docs/api-reference/authentication',
    'sk-or-v1-',
    hex(64),
  ),
  alone('Groq', 'https://console.groq.com/docs/quickstart', 'gsk_', noise(52)),
  alone('xAI', 'https://docs.x.ai/docs/overview', 'xai-', noise(80)),
  alone('Perplexity', 'https://docs.perplexity.ai/', 'pplx-', noise(48)),
  alone('Hugging Face', 'https://huggingface.co/docs/hub/security-tokens', 'hf_', letters(34)),
  alone('Replicate', 'https://replicate.com/docs/reference/http', 'r8_', noise(37)),
  alone('NVIDIA', 'https://docs.api.nvidia.com/', 'nvapi-', noise(64)),
  alone('LangSmith', 'https://docs.smith.langchain.com/', 'lsv2_pt_', `${hex(32)}_${hex(10)}`),
  alone('Tavily', 'https://docs.tavily.com/', 'tvly-', noise(32)),
  alone('Firecrawl', 'https://docs.firecrawl.dev/', 'fc-', hex(32)),
  alone(
    'Google, API key and Firebase',
    'https://cloud.google.com/docs/authentication/api-keys',
    'AIza',
    noise(35),
  ),
  alone(
    'Google, Gemini',
    'https://discuss.ai.google.dev/t/gemini-api-key-start-from-aq/171575',
    'AQ.',
    `Ab8RN6${noise(44)}`,
  ),
  alone(
    'Google, access',
    'https://developers.google.com/identity/protocols/oauth2',
    'ya29.',
    noise(120),
  ),
  alone(
    'Google, refresh',
    'https://developers.google.com/identity/protocols/oauth2',
    '1//0',
    noise(60),
  ),
  alone(
    'Google, client secret',
    'https://developers.google.com/identity/protocols/oauth2',
    'GOCSPX-',
    noise(28),
  ),
  within(
    'Google, service account',
    'https://cloud.google.com/iam/docs/keys-create-delete',
    '{"type":"service_account","private_key":"',
    `-----BEGIN ${'PRIVATE'} KEY-----\\n${noise(64)}\\n-----END ${'PRIVATE'} KEY-----`,
    '\\n"}',
  ),
  alone('AWS, key id', AWS, 'AKIA', upper(16)),
  alone('AWS, temporary key id', AWS, 'ASIA', upper(16)),
  within(
    'AWS, session token',
    'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html',
    'aws_session_token = ',
    `${noise(300)}==`,
  ),
  alone(
    'AWS, Bedrock',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
    'ABSK',
    noise(128),
  ),
  within(
    'Azure, storage key',
    `${AZURE}storage-account-keys-manage`,
    'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=',
    `${noise(86)}==`,
    ';EndpointSuffix=core.windows.net',
  ),
  within(
    'Azure, shared access signature',
    `${AZURE}storage-sas-overview`,
    'https://shop.blob.core.windows.net/x?sv=2022-11-02&sp=r&sig=',
    `${noise(43)}%3D`,
  ),
  within(
    'Azure, service bus',
    'https://learn.microsoft.com/azure/service-bus-messaging/service-bus-sas',
    'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=',
    `${noise(43)}=`,
  ),
  within('Azure, secret of an app', SCANNED, 'id ', `${noise(3)}8Q~${noise(31)}`),
  within('Azure DevOps', SCANNED, 'pat ', `${noise(76)}${'AZ'}DO${noise(4)}`),
  within(
    'SQL Server, connection string',
    'https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax',
    'Server=db;Uid=ann;Pwd=',
    noise(12),
    ';',
  ),
  alone('DigitalOcean', 'https://docs.digitalocean.com/reference/api/', 'dop_v1_', hex(64)),
  alone(
    'Heroku',
    'https://devcenter.heroku.com/articles/authentication',
    'HRKU-',
    `AA${noise(58)}`,
  ),
  alone('Fly.io', 'https://fly.io/docs/security/tokens/', 'fm2_', noise(120)),
  alone('Vercel', SCANNED, 'vcp_', noise(56)),
  alone('Netlify', SCANNED, 'nfp_', noise(36)),
  alone('Supabase', SCANNED, 'sbp_', hex(40)),
  alone(
    'Supabase, secret key',
    'https://supabase.com/docs/guides/api/api-keys',
    'sb_secret_',
    noise(31),
  ),
  alone('PlanetScale', SCANNED, 'pscale_tkn_', noise(43)),
  alone(
    'Tailscale',
    'https://tailscale.com/kb/1085/auth-keys',
    'tskey-',
    `auth-${noise(12)}CNTRL-${noise(32)}`,
  ),
  alone(
    'Cloudflare, origin CA',
    'https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/',
    'v1.0-',
    `${hex(24)}-${hex(146)}`,
  ),
  ...['cfk_', 'cfut_', 'cfat_'].map((prefix) =>
    alone(
      `Cloudflare, ${prefix}`,
      'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/',
      prefix,
      noise(48),
    ),
  ),
  within(
    'Cloudflare, by its name',
    'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
    'CLOUDFLARE_API_TOKEN=',
    noise(40),
  ),
  within(
    'Fastly, in its header',
    'https://www.fastly.com/documentation/reference/api/auth-tokens/',
    'Fastly-Key: ',
    noise(32),
  ),
  within(
    'Datadog, by its name',
    'https://docs.datadoghq.com/account_management/api-app-keys/',
    'DD_API_KEY=',
    hex(32),
  ),
  alone(
    'HashiCorp Vault',
    'https://developer.hashicorp.com/vault/docs/concepts/tokens',
    'hvs.',
    noise(95),
  ),
  alone(
    'HashiCorp Vault, old',
    'https://developer.hashicorp.com/vault/docs/concepts/tokens',
    's.',
    noise(24),
  ),
  within(
    'Terraform',
    'https://developer.hashicorp.com/terraform/cli/config/config-file',
    '',
    `${noise(14)}.${'atlas'}v1.${noise(67)}`,
  ),
  alone('Doppler', 'https://docs.doppler.com/docs/service-tokens', 'dp.st.', `dev.${noise(43)}`),
  alone(
    'Pulumi',
    'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/',
    'pul-',
    hex(40),
  ),
  alone(
    '1Password, service account',
    'https://developer.1password.com/docs/service-accounts/',
    'ops_',
    `ey${noise(250)}`,
  ),
  alone(
    '1Password, secret key',
    'https://support.1password.com/secret-key/',
    'A3-',
    [6, 6, 5, 5, 5, 5].map(upper).join('-'),
  ),
  alone('Age', 'https://github.com/FiloSottile/age', 'AGE-SECRET-KEY-', `1${upper(58)}`),
  alone('Stripe, live', 'https://docs.stripe.com/keys', 'sk_live_', noise(24)),
  alone('Stripe, restricted', 'https://docs.stripe.com/keys', 'rk_live_', noise(24)),
  alone('Stripe, webhook', 'https://docs.stripe.com/webhooks', 'whsec_', noise(32)),
  alone('Square, access', GITLEAKS, 'EAAA', noise(60)),
  alone('Square, secret', GITLEAKS, 'sq0csp-', noise(43)),
  alone('PayPal, Braintree', GITLEAKS, `access_${'token'}$production$`, `${lower(16)}$${hex(32)}`),
  alone('EasyPost', GITLEAKS, 'EZAK', noise(54)),
  alone('Shippo', GITLEAKS, 'shippo_live_', hex(40)),
  alone('Lob', GITLEAKS, 'live_', hex(35)),
  alone(
    'Shopify',
    'https://shopify.dev/docs/apps/build/authentication-authorization',
    'shpat_',
    hex(32),
  ),
  alone('Facebook', GITLEAKS, 'EAAC', noise(120)),
  alone('Facebook, of a page', GITLEAKS, 'EAAM', noise(120)),
  alone('Alibaba Cloud, key id', GITLEAKS, 'LTAI', noise(20)),
  alone(
    'SendGrid',
    'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    'SG.',
    `${noise(22)}.${noise(43)}`,
  ),
  alone('Twilio, API key', 'https://www.twilio.com/docs/iam/api-keys', 'SK', hex(32)),
  alone('Mailgun', GITLEAKS, 'key-', hex(32)),
  alone('Brevo', GITLEAKS, 'xkeysib-', `${hex(64)}-${noise(16)}`),
  alone('Resend', SCANNED, 're_', `${noise(8)}_${noise(24)}`),
  alone('Sentry', 'https://docs.sentry.io/account/auth-tokens/', 'sntrys_', noise(120)),
  ...['sntryu_', 'sntrya_', 'sntryi_'].map((prefix) =>
    alone(
      `Sentry, ${prefix}`,
      'https://github.com/getsentry/sentry/blob/master/src/sentry/types/token.py',
      prefix,
      hex(64),
    ),
  ),
  alone(
    'Grafana, cloud',
    'https://grafana.com/docs/grafana-cloud/security-and-account-management/',
    'glc_',
    noise(80),
  ),
  alone(
    'Grafana, service account',
    'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    'glsa_',
    `${noise(32)}_${hex(8)}`,
  ),
  alone(
    'New Relic',
    'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    'NRAK-',
    upper(27),
  ),
  within(
    'New Relic, licence',
    'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    'licence ',
    `${hex(36)}${'NR'}AL`,
  ),
  alone(
    'Dynatrace',
    'https://docs.dynatrace.com/docs/dynatrace-api/basics/dynatrace-api-authentication',
    'dt0c01.',
    `${upper(24)}.${upper(64)}`,
  ),
  alone('PostHog', 'https://posthog.com/docs/api', 'phx_', noise(43)),
  alone(
    'Sonar',
    'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/',
    'squ_',
    hex(40),
  ),
  alone(
    'CircleCI',
    'https://circleci.com/docs/managing-api-tokens/',
    'CCIPAT_',
    `${noise(22)}_${hex(40)}`,
  ),
  alone('Buildkite', GITLEAKS, 'bkua_', hex(40)),
  alone('Databricks', 'https://docs.databricks.com/aws/en/dev-tools/auth/pat', 'dapi', hex(32)),
  alone(
    'Atlassian',
    'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
    'ATATT3',
    `xFfGF0${noise(180)}`,
  ),
  alone('Bitbucket', SCANNED, 'ATBB', noise(32)),
  alone('Linear', 'https://linear.app/developers', 'lin_api_', noise(40)),
  alone(
    'Notion',
    'https://developers.notion.com/reference/authentication',
    'ntn_',
    `${digits(11)}${noise(35)}`,
  ),
  alone(
    'Notion, old',
    'https://developers.notion.com/reference/authentication',
    'secret_',
    noise(43),
  ),
  alone('Figma', 'https://developers.figma.com/docs/rest-api/authentication/', 'figd_', noise(40)),
  alone(
    'Airtable',
    'https://airtable.com/developers/web/guides/personal-access-tokens',
    'pat',
    `${noise(14)}.${hex(64)}`,
  ),
  alone(
    'Asana',
    'https://developers.asana.com/docs/personal-access-token',
    '2/',
    `${digits(16)}/${digits(16)}:${hex(32)}`,
  ),
  alone('Contentful', GITLEAKS, 'CFPAT-', noise(43)),
  alone(
    'Postman',
    'https://learning.postman.com/docs/developer/postman-api/authentication/',
    'PMAK-',
    `${hex(24)}-${hex(34)}`,
  ),
  alone('Dropbox', GITLEAKS, 'sl.', `u.${noise(140)}`),
  alone('ReadMe', GITLEAKS, 'rdme_', lower(70)),
  alone('Prefect', GITLEAKS, 'pnu_', noise(36)),
  within(
    'JSON web token, also of a Kubernetes account',
    'https://www.rfc-editor.org/rfc/rfc7519',
    '',
    `${jwt}.${noise(43)}`,
  ),
  within(
    'JSON web token, encrypted',
    'https://www.rfc-editor.org/rfc/rfc7516',
    '',
    `${jwt.split('.')[0]}.${noise(40)}.${noise(16)}.${noise(60)}.${noise(22)}`,
  ),
  within(
    'SSH key',
    'https://www.rfc-editor.org/rfc/rfc7468',
    `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----\n`,
    noise(64),
    `\n-----END ${'OPENSSH'} PRIVATE KEY-----`,
  ),
  within(
    'PGP key',
    'https://www.rfc-editor.org/rfc/rfc9580',
    `-----BEGIN ${'PGP'} PRIVATE KEY BLOCK-----\nComment: made-up\n\n`,
    noise(64),
    `\n-----END ${'PGP'} PRIVATE KEY BLOCK-----`,
  ),
  within(
    'PuTTY key',
    'https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html',
    'Private-Lines: 1\n',
    noise(64),
    '\nPrivate-MAC: 1',
  ),
  within(
    'npm, in .npmrc',
    'https://docs.npmjs.com/cli/configuring-npm/npmrc',
    '//npm.example/:_authToken=',
    letters(20),
  ),
  within(
    '.netrc',
    'https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html',
    'machine example.com login ann password ',
    letters(12),
  ),
  within(
    'basic credentials',
    'https://www.rfc-editor.org/rfc/rfc7617',
    'Authorization: Basic ',
    base64('ann:correct-horse-9'),
  ),
  within(
    'bearer token',
    'https://www.rfc-editor.org/rfc/rfc6750',
    'Authorization: Bearer ',
    noise(32),
  ),
];
