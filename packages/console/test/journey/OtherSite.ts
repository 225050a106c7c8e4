/** Pages that are none of the service's, and what they try with the console session of the account that opens them. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"

export interface OtherSite extends AsyncDisposable {
  /** By a name of the machine that the browser counts as another site than `127.0.0.1`. */
  readonly otherSite: string
  /** On the service's own host, which the browser counts as the same site. */
  readonly otherPort: string
}

export const startOtherSite = async (): Promise<OtherSite> => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html")
    response.end("<!doctype html><title>Win a phone</title>")
  })
  server.listen(0)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    otherSite: `http://localhost:${port}/`,
    otherPort: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/**
 * Asks the service from a page that is not its own, in all ways that scripts have.
 *
 * @param credentials with which somebody could be signed in to an account of the attacker's
 * @returns what the page learned: `unreadable` where the browser kept it from asking or reading, else `opaque` or a status
 */
export const attack = (page: Page, origin: string, credentials: object): Promise<ReadonlyArray<string>> =>
  page.evaluate(
    async ([origin, credentials]) => {
      const outcome = async (path: string, init: RequestInit) => {
        try {
          const response = await fetch(`${origin}/v1/admin${path}`, { credentials: "include", ...init })
          return response.type === "opaque" ? "opaque" : `${path} ${response.status}`
        } catch {
          return "unreadable"
        }
      }
      const posts: ReadonlyArray<readonly [string, object?]> = [
        ["/organizations", { name: "Stolen" }],
        ["/operators/invitations", { email: "eve@evil.example" }],
        ["/account/sign-out"],
        ["/account/sign-out-everywhere"],
        ["/account/sign-in", credentials]
      ]
      const outcomes = [await outcome("/account", {}), await outcome("/organizations", { mode: "no-cors" })]
      for (const [path, body] of posts) {
        const text = JSON.stringify(body)
        const asked = { method: "POST", ...(body && { body: text }) }
        // As a program would, which a preflight keeps it from; as a form would; and with a body that has no type.
        outcomes.push(await outcome(path, { ...asked, headers: { "content-type": "application/json" } }))
        outcomes.push(await outcome(path, { ...asked, mode: "no-cors" }))
        outcomes.push(await outcome(path, { method: "POST", mode: "no-cors", body: new Blob(body ? [text] : []) }))
        navigator.sendBeacon(`${origin}/v1/admin${path}`, new Blob(body ? [text] : []))
      }
      outcomes.push(await outcome("/account", { method: "PATCH", body: '{"name":"Stolen"}' }))
      return outcomes
    },
    [origin, credentials] as const
  )

/** Sends a form to the service, whose body is JSON but for what browsers add, and answers the status of what follows. */
export const sendForm = async (page: Page, target: string, json: string): Promise<number | undefined> => {
  await page.evaluate(
    ([target, json]) => {
      const form = document.createElement("form")
      Object.assign(form, { method: "post", action: target, enctype: "text/plain" })
      const input = document.createElement("input")
      Object.assign(input, { name: `${json.slice(0, -1)},"a":"`, value: '"}' })
      const send = document.createElement("button")
      send.textContent = "Win"
      form.append(input, send)
      document.body.replaceChildren(form)
    },
    [target, json] as const
  )
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url() === target),
    page.getByRole("button", { name: "Win" }).click()
  ])
  return answer.status()
}
