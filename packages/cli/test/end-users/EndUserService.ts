/** A service in memory, `postcode end-users` against it, and a proxy before it. */
import { request, type ServerResponse } from "node:http"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { manage, managing } from "@postcode/drills/Management"
import { type Ended, type RunOptions, type Service, serveSmallDirectory } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, expect, onTestFinished } from "vitest"
import { listen } from "../../../widget/test/Listening.ts"
import { jsonOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

/** The one unit of the directory. */
export const code = "LA-12-A03-BG-07"

/** A file of so many end users, each with a bookmark. */
export const crowd = (name: string, size: number): string =>
  `identifier,postcode,label\n${Array.from({ length: size }, (_, i) => `${name}${i}@crowd.example,${code},Home ${i}\n`).join("")}`

/** Starts the service for the tests of a file. */
export const useEndUsers = () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let service: Service

  beforeAll(async () => {
    folder = await temporaryFolder()
    service = await serveSmallDirectory(["--access-log"], {
      POSTCODE_OPERATOR_TOKEN: operatorToken,
      POSTCODE_ADDRESS_RATE_LIMIT: "100000"
    })
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    await folder[Symbol.asyncDispose]()
  })

  const env = (url = service.url) => managing(url)

  const endUsers = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ended> =>
    run(["end-users", ...args], { ...options, env: { ...env(), ...options.env } })

  /** The one JSON value of a command that ends well, for the identifiers on its standard input. */
  const answer = (args: ReadonlyArray<string>, stdin = "") => jsonOf(endUsers([...args, "--json"], { stdin }))

  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFiles(folder.path, { [name]: content })
    return join(folder.path, name)
  }

  /** The answer of the API itself. */
  const api = (path: string, body?: object): Promise<Readonly<Record<string, unknown>>> =>
    manage(service.url, body === undefined ? "GET" : "POST", `/end-users${path}`, body)
  const count = async (): Promise<number> => (await api("")).count as number
  const find = (identifier: string) => api("/find", { identifier })

  /** A proxy before the service. `before` is called for each request, counted from 1, and may answer it by itself. */
  const makeProxy = async (before: (count: number, response: ServerResponse) => boolean) => {
    let count = 0
    const proxy = await listen((incoming, response) => {
      if (before(++count, response)) {
        incoming.resume()
        return
      }
      const { headers, method } = incoming
      const forwarded = request(new URL(incoming.url ?? "", service.url), { headers, method }, (answered) => {
        response.writeHead(answered.statusCode as number, answered.headers)
        answered.pipe(response)
      })
      incoming.on("error", () => forwarded.destroy())
      forwarded.on("error", () => response.destroy())
      incoming.pipe(forwarded)
    })
    onTestFinished(proxy.close)
    return { url: proxy.url, requests: () => count }
  }

  return { answer, count, endUsers, env, find, folder: () => folder.path, makeProxy, service: () => service, write }
}
