/**
 * An attacker with an account of the lowest role, who registers passkeys with attestations of every format, each with
 * certificates that name an address inside. The service runs as a process of its own, as an operator starts it.
 */
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { attestationBy, attestationFormats, SoftAuthenticator } from "@postcode/conformance/devices"
import { operatorToken } from "@postcode/conformance/wire"
import { manage } from "@postcode/drills/Management"
import { type Service, serveSmallDirectory } from "@postcode/drills/StartCommand"
import { expect, it } from "vitest"

const password = "harmattan over kano"
const attackers = 3

it("attestations of every format make no connection, end no process, and keep no operator waiting", async () => {
  await using service = await serveSmallDirectory([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
  await using silent = await listening(() => undefined)
  await using flooding = await listening(flood)
  const cookies = await accounts(service)

  const operator = watchOperator(service)
  const answers: Array<{ readonly format: string; readonly status: number; readonly took_ms: number }> = []
  for (const { url } of [silent, flooding]) {
    for (const format of attestationFormats) {
      const attest = attestationBy(format, url)
      answers.push(...(await Promise.all(cookies.map((cookie) => attack(service, cookie, format, attest)))))
    }
    // An account may be asked for its password 10 times a minute.
    cookies.splice(0, cookies.length, ...(await accounts(service)))
  }
  const operatorTook_ms = await operator.stop()

  expect(silent.connections() + flooding.connections()).toBe(0)
  expect(answers).toHaveLength(2 * attackers * attestationFormats.length)
  expect(answers.filter(({ status }) => status !== 201)).toEqual([])
  expect(Math.max(...answers.map(({ took_ms }) => took_ms))).toBeLessThan(1_000)
  expect(operatorTook_ms.length).toBeGreaterThan(0)
  expect(Math.max(...operatorTook_ms)).toBeLessThan(1_000)
  expect(service.process.exitCode).toBeNull()
  expect((await fetch(`${service.url}/v1/health/live`)).status).toBe(200)
})

/** Registers one passkey with an attestation, and answers what came back and after which time. */
const attack = async (
  service: Service,
  cookie: string,
  format: string,
  attest: ReturnType<typeof attestationBy>
): Promise<{ readonly format: string; readonly status: number; readonly took_ms: number }> => {
  const device = new SoftAuthenticator(service.url)
  const started = await post(service, "/passkey-start", { present_password: password }, cookie)
  const { data } = (await started.json()) as { readonly data: { readonly options: { readonly challenge: string } } }
  const credential = device.create(data.options, {}, attest)
  const started_ms = performance.now()
  const answer = await post(service, "/passkeys", { name: format, credential }, cookie).catch(() => undefined)
  return { format, status: answer?.status ?? 0, took_ms: performance.now() - started_ms }
}

const post = (service: Service, path: string, body: object, cookie = "") =>
  fetch(`${service.url}/v1/admin/account${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url, cookie },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000)
  })

/** The sessions of new accounts, of the role that may do least. */
const accounts = async (service: Service): Promise<Array<string>> => {
  const organization = await manage<{ readonly id: string }>(service.url, "POST", "/organizations", { name: "Shop" })
  const invite = async (): Promise<string> => {
    const path = `/organizations/${organization.id}/invitations`
    const body = { role: "billing", email: `${randomUUID()}@people.example` }
    const { token } = await manage<{ readonly token: string }>(service.url, "POST", path, body)
    const accepted = await post(service, "/accept", { token, name: "Eve", password })
    return accepted.headers.get("set-cookie")?.split(";")[0] ?? ""
  }
  const cookies: Array<string> = []
  for (let made = 0; made < attackers; made++) cookies.push(await invite())
  return cookies
}

/** Asks for something as the operator all the time, and answers how long each answer took. */
const watchOperator = (service: Service): { readonly stop: () => Promise<ReadonlyArray<number>> } => {
  const took_ms: Array<number> = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const started_ms = performance.now()
      await manage(service.url, "GET", "/organizations")
      took_ms.push(performance.now() - started_ms)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return took_ms
    }
  }
}

/** A server inside, and how many connections it had. */
const listening = async (onConnection: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined))
    onConnection(socket)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.crl`,
    connections: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/** Zeros without an end. */
const flood = (socket: Socket): void => {
  const zeros = Buffer.alloc(1 << 20)
  const more = (): void => {
    while (!socket.destroyed && socket.write(zeros));
  }
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/pkix-crl\r\n\r\n")
  socket.on("drain", more)
  more()
}
