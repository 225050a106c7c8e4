/** The login of a device by a library for OAuth, which knows the standard only. */
import { operatorToken } from "@postcode/conformance/wire"
import { manage } from "@postcode/drills/Management"
import { startService } from "@postcode/drills/StartCommand"
import * as oauth from "oauth4webapi"
import { expect, it } from "vitest"

const client = { client_id: "backup-tool" }
const insecure = { [oauth.allowInsecureRequests]: true }

it("a program gets a management key with a library for OAuth, and each refusal in its words", async () => {
  const service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
  const issuer = new URL(service.url)
  const found = oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, await found)
  const start = async () => {
    const sent = oauth.deviceAuthorizationRequest(server, client, oauth.None(), new URLSearchParams(), insecure)
    return oauth.processDeviceAuthorizationResponse(server, client, await sent)
  }
  const tokenOf = async ({ device_code }: oauth.DeviceAuthorizationResponse) => {
    const sent = oauth.deviceCodeGrantRequest(server, client, oauth.None(), device_code, insecure)
    return oauth.processDeviceCodeResponse(server, client, await sent)
  }
  const refusal = (error: string) => expect.objectContaining({ error, status: 400 }) as unknown

  const { id } = await manage<{ readonly id: string }>(service.url, "POST", "/organizations", { name: "Kano Couriers" })
  const decide = await signedIn(service.url, id)

  const login = await start()
  expect(login).toMatchObject({ verification_uri: `${service.url}/console/#/device`, expires_in: 600, interval: 5 })
  await expect(tokenOf(login)).rejects.toEqual(refusal("authorization_pending"))
  await expect(tokenOf(login)).rejects.toEqual(refusal("slow_down"))
  await decide(`/organizations/${id}/device-logins`, login.user_code)
  const { access_token, expires_in, token_type } = await tokenOf(login)
  expect({ expires_in, token_type }).toEqual({ expires_in: 90 * 86_400, token_type: "bearer" })
  const whoAmI = new URL("/v1/admin/whoami", service.url)
  const answered = await oauth.protectedResourceRequest(access_token, "GET", whoAmI, new Headers(), null, insecure)
  expect(await answered.json()).toMatchObject({ data: { credential: "management_key", organization_id: id } })
  await expect(tokenOf(login)).rejects.toEqual(refusal("invalid_grant"))

  const refused = await start()
  await decide("/device-logins/deny", refused.user_code)
  await expect(tokenOf(refused)).rejects.toEqual(refusal("access_denied"))
  expect(await service.stop()).toBe(0)
})

/** Decides about codes, as an account of the organization. */
const signedIn = async (url: string, organization: string) => {
  const invited = { role: "developer", email: "ada@people.example" }
  const path = `/organizations/${organization}/invitations`
  const { token } = await manage<{ readonly token: string }>(url, "POST", path, invited)
  const send = (path: string, body: object, cookie = "") =>
    fetch(`${url}/v1/admin${path}`, {
      method: "POST",
      headers: { cookie, origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const accepted = await send("/account/accept", { token, name: "Ada", password: "harmattan over kano" })
  const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? ""
  return async (path: string, user_code: string) => {
    expect((await send(path, { user_code }, cookie)).status).toBe(200)
  }
}
