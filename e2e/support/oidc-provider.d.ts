/** The little of `oidc-provider` that its test server uses; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type GrantData = { clientId: string; accountId: string | undefined }
  type GrantInstance = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  type Context = {
    oidc: {
      client: { clientId: string }
      session: { accountId: string | undefined }
      provider: { Grant: new (data: GrantData) => GrantInstance }
    }
  }

  export class Provider {
    constructor(issuer: string, options: Readonly<Record<string, unknown>>)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } } | { error: string },
    ): Promise<void>
  }
}
