/** The parts of the official SDK that we use: bundled into a separate file, and loaded only when a user signs in. */
export {
  auth,
  extractWWWAuthenticateParams,
  OAuthError,
  RegistrationRejectedError,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
