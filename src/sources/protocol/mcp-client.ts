/** What we use of the official SDK: built into a file of its own, and loaded only when a server is asked over HTTP. */
export {
  auth,
  extractWWWAuthenticateParams,
  OAuthError,
  RegistrationRejectedError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  selectClientAuthMethod,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
