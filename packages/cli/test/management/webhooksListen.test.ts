/** `postcode webhooks listen` and `trigger`, with a server under development on this machine. */
import { readFile, stat } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { manage, managing } from "@postcode/drills/Management"
import { ended, type Service, start, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { startReceiver } from "./WebhookReceiver.ts"

describe("a listener", () => {
  let service: Service
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let org: string
  const env = () => ({ ...managing(service.url), XDG_CONFIG_HOME: folder.path })
  const listening = (forward: string, ...args: ReadonlyArray<string>) =>
    startListening(["webhooks", "listen", org, "--forward", forward, ...args], env())
  const trigger = (event: string, ...args: ReadonlyArray<string>) =>
    run(["webhooks", "trigger", event, org, ...args], { env: env() })
  const webhooks = async () =>
    (await manage<{ webhooks: ReadonlyArray<object> }>(service.url, "GET", `/organizations/${org}/webhooks`)).webhooks

  beforeAll(async () => {
    folder = await temporaryFolder()
    service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    org = (await manage<{ id: string }>(service.url, "POST", "/organizations", { name: "Kano Couriers" })).id
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    await folder[Symbol.asyncDispose]()
  })

  it("posts signed events to a server on this machine, prints a line each, and Ctrl-C removes it", async () => {
    await using receiver = await startReceiver()
    await using listener = listening(receiver.url)
    await listener.says("stays the same on this computer")
    expect(listener.stderr()).toContain(`posting them to ${receiver.url};`)
    const [secret = ""] = /whsec_\S+(?=,)/.exec(listener.stderr()) ?? []
    expect((await stat(join(folder.path, "postcode", "webhook-secret"))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(folder.path, "postcode", "webhook-secret"), "utf8")).toBe(`${secret}\n`)
    const sent = await trigger("credits.low")
    expect(sent).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dlv_\S+ +whk_\S+ +127\.0\.0\.1:\d+ \(listens\)$/m)
    })
    const { body, headers, response } = await receiver.request(0)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "credits.low",
      data: { organization_id: org, test: true }
    })
    response.writeHead(204).end()
    await listener.prints(/^\d\d:\d\d:\d\d {2}credits\.low +dlv_\S+ {2}204 {2}\d+ ms$/m)
    expect((await run(["webhooks", "list", org], { env: env() })).stdout).toMatch(/ listens /)
    await trigger("key.expiring")
    ;(await receiver.request(1)).response.writeHead(500).end()
    await listener.prints(/^\d\d:\d\d:\d\d {2}key\.expiring +dlv_\S+ {2}500 {2}\d+ ms {2}again at \d\d:\d\d:\d\d$/m)
    expect(await listener.interrupt()).toMatchObject({ code: 130 })
    expect(listener.stderr()).toContain("stopped listening; 1 delivered, 1 attempt failed")
    expect(await webhooks()).toEqual([])
    expect(service.stderr()).not.toContain(secret.slice(6, 30))
  })

  it("keeps its secret, and what came while it was killed is posted when it starts again", async () => {
    await using receiver = await startReceiver()
    await using first = listening(receiver.url, "--json")
    await first.prints(/\n/)
    const { listening: shown } = JSON.parse(first.stdout())
    expect(shown).toMatchObject({ organization_id: org, url: receiver.url })
    await trigger("organization.suspended")
    await receiver.request(0)
    first.child.kill("SIGKILL")
    await first.end
    await trigger("organization.resumed")
    await using second = listening(receiver.url, "--json")
    await second.prints(/\n/)
    expect(JSON.parse(second.stdout()).listening).toEqual(shown)
    // The one whose result was not sent comes again, with the same id.
    const [lost, again] = [await receiver.request(0), await receiver.request(1)]
    expect(again.headers["webhook-id"]).toBe(lost.headers["webhook-id"])
    again.response.end()
    ;(await receiver.request(2)).response.end()
    await second.prints(/organization\.resumed/)
    const [, ...lines] = second
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { event: "organization.suspended", attempt: 2, status: 200 },
      { event: "organization.resumed", attempt: 1, status: 200 }
    ])
    await second.interrupt()
  })

  it("waits for a service that is down, and goes on when it is back", async () => {
    await using receiver = await startReceiver()
    const proxy = await startProxy(service.url)
    await using listener = startListening(["webhooks", "listen", org, "--forward", receiver.url], {
      ...env(),
      POSTCODE_URL: proxy.url
    })
    await listener.says("stays the same on this computer")
    await proxy.stop()
    await listener.says("waiting: could not reach")
    await trigger("webhook.test")
    expect(receiver.count()).toBe(0)
    await proxy.start()
    ;(await receiver.request(0)).response.end()
    await listener.prints(/webhook\.test/)
    expect(listener.stderr()).toContain("connected again")
    await listener.interrupt()
    await proxy.stop()
  })

  it("says that a server refuses connections, and ends if the service refuses", async () => {
    await using listener = listening("http://127.0.0.1:9/hook")
    await listener.says("stays the same on this computer")
    await trigger("webhook.test", "--json")
    await listener.prints(/webhook\.test +dlv_\S+ {2}the connection was refused {2}\d+ ms {2}again at/)
    await listener.interrupt()
    const refused = await run(["webhooks", "listen", org, "--forward", "4000"], {
      env: { ...env(), POSTCODE_OPERATOR_TOKEN: "not-the-token-of-this-service" }
    })
    expect(refused).toMatchObject({ code: 4, stdout: "" })
  })

  it.each(["", "ftp://localhost/", "http://", "http://a:b@localhost/", "http://localhost/#x", "99999999"])(
    "--forward %j is refused",
    async (forward) => {
      const { code, stderr } = await run(["webhooks", "listen", org, "--forward", forward], { env: env() })
      expect(code).toBe(2)
      expect(stderr).toContain("http://localhost:4000/hook")
    }
  )

  it("an unknown event is refused with the list of all, and an organization without a webhook hears how to listen", async () => {
    const unknown = await trigger("credits.lo")
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain("one of credits.low, ")
    const nobody = await trigger("credits.low")
    expect(nobody).toMatchObject({ code: 1, stdout: "" })
    expect(nobody.stderr).toContain("postcode webhooks listen")
  })

  it("an example reaches a webhook, which may be of production, only with --all or --webhook", async () => {
    const body = { url: "https://hooks.invalid/" }
    const { id } = await manage<{ id: string }>(service.url, "POST", `/organizations/${org}/webhooks`, body)
    expect(await trigger("credits.low")).toMatchObject({ code: 1, stdout: "" })
    for (const args of [["--all"], ["--webhook", id]]) {
      const { stdout } = await trigger("credits.low", ...args)
      expect(stdout).toMatch(new RegExp(`^dlv_\\S+ +${id} +hooks\\.invalid$`, "m"))
    }
  })
})

/** The command in a process of its own, which a test reads while it runs. */
const startListening = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
  const child = start(args, { env })
  const written = { stdout: "", stderr: "" }
  let told: () => void = () => {}
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk
      told()
    })
  }
  const end = ended(child)
  void end.then(() => told())
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode}:\n${written.stderr}`)
      await new Promise<void>((resolve) => {
        told = resolve
      })
    }
  }
  return {
    child,
    end,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await end
    },
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    says: (text: string) => until(() => written.stderr.includes(text)),
    prints: (pattern: RegExp) => until(() => pattern.test(written.stdout)),
    interrupt: () => {
      child.kill("SIGINT")
      return end
    }
  }
}

/** The way to a service, which a test closes and opens. */
const startProxy = async (target: string) => {
  const make = () =>
    createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { authorization = "", "content-type": type = "application/json" } = request.headers
      const answer = await fetch(target + request.url, {
        method: request.method ?? "GET",
        headers: { authorization, "content-type": type },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) })
      })
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
    })
  let server: Server = make()
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    start: () => {
      server = make()
      return listen(port)
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
