/** What we use of the official SDK: built into a file of its own, and loaded only when a user signs in. */
export {
  auth,
  extractWWWAuthenticateParams,
  OAuthError,
  RegistrationRejectedError,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
