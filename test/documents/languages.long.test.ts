// The page docs/languages.md: each block of each language, against the demonstration and a real webhook of it.
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.mjs"
import { type Block, blocksIn } from "../markdown/MarkdownBlocks.ts"
import { examplesIn, generalized, isAnsweredBy } from "../markdown/MarkdownExamples.ts"
import { isRun } from "../markdown/ShellCommands.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { type DemonstrationService, ownEnvironment, startService } from "./DemonstrationService.ts"
import { commandLine, outputOf } from "./ExampleSession.ts"
import { languages } from "./PagesWithOwnTests.ts"

const page = await readFile(join(root, languages), "utf8")
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split("\n", 1)[0] ?? "", text])
)
const blocksOf = (section: string): ReadonlyArray<Block> => blocksIn(sections.get(section) ?? "")

interface Language {
  /** The word behind the fence. */
  readonly name: "js" | "php" | "python"
  readonly program: string
  readonly file: string
}

const all: ReadonlyArray<Language> = [
  { name: "python", program: "python3", file: "program.py" },
  { name: "php", program: "php", file: "program.php" },
  { name: "js", program: process.execPath, file: "program.mjs" }
]
const interpreters = all.filter(({ program }) => spawnSync(program, ["--version"]).status === 0)
/** How Node checks a webhook is on another page. */
const others = interpreters.filter(({ name }) => name !== "js")

const calls = [...sections.keys()].filter((name) => /^(Check|Look up|Find|Handle)/.test(name))
const functions = "One function for all calls"
const webhook = "Verify a webhook"

let folder = ""
let service: DemonstrationService
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  requireBuilt()
  folder = await mkdtemp(join(tmpdir(), "languages-"))
  service = await startService([commandLine], ownEnvironment())
  env = { ...ownEnvironment(), ...service.secrets, POSTCODE_URL: service.url }
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a text as a program, and answers its standard output. */
const run = async ({ file, program }: Language, text: string, own: NodeJS.ProcessEnv = {}): Promise<string> => {
  await writeFile(join(folder, file), text)
  return (await outputOf(program, [file], folder, { ...env, ...own })).trimEnd()
}

const textOf = ({ name }: Language, section: string): string =>
  blocksOf(section).find(({ language }) => language === name)?.text ?? `no ${name} in ${section}`

/** The function of a language, and lines after it, as a reader writes them into one file. */
const withFunction = (language: Language, lines: string): string => `${textOf(language, functions)}\n\n${lines}\n`

it("the page has the calls that everybody makes", () => {
  expect(calls).toHaveLength(6)
})

describe.for(calls)("%s", (section) => {
  it("with curl", async () => {
    const example = examplesIn(sections.get(section) ?? "").find(({ language }) => language === "sh")
    expect(example !== undefined && isRun(example)).toBe(true)
    const output = await outputOf("sh", ["-e", "-c", example?.code ?? ""], folder, env)
    expect(example?.answer && isAnsweredBy(example.answer, output), generalized(output)).toBe(true)
  })

  it.for(interpreters)("in $name", async (language) => {
    const answer = blocksOf(section).findLast(({ language }) => language === "text")?.text
    expect(await run(language, withFunction(language, textOf(language, section)))).toBe(answer)
  })
})

describe.for(interpreters)("the function in $name", (language) => {
  const line = {
    python: `try:\n    print(call("/v1/lookup", {"code": "LA-11-B03-PD-01"})["status"])\nexcept PostcodeError as e:\n    print(e)`,
    php: `try { echo call('/v1/lookup', ['code' => 'LA-11-B03-PD-01'])['status']; } catch (PostcodeError $e) { echo $e->getMessage(); }`,
    js: `console.log(await call("/v1/lookup", { code: "LA-11-B03-PD-01" }).then(({ status }) => status, String))`
  }[language.name]
  const answerOf = async (answers: ReadonlyArray<Answer>) => {
    await using proxy = await proxyWith(answers)
    const output = await run(language, withFunction(language, line), { POSTCODE_URL: proxy.url })
    return [output.replace(/^(Postcode)?Error: /, ""), proxy.asked()] as const
  }

  it("tries again after 503, and after a lost connection", async () => {
    expect(await answerOf(["busy", "lost", "through"])).toEqual(["valid", 3])
  })

  it("fails with a clear code if a proxy answers with a page", async () => {
    expect(await answerOf(["page", "page", "page"])).toEqual(["502 no_answer: no answer of the service", 3])
  })

  it("fails at once if it would have to wait for hours, or if the request is wrong", async () => {
    expect(await answerOf(["tomorrow"])).toEqual(["429 rate_limit_exceeded: until tomorrow", 1])
    expect(await answerOf(["odd"])).toEqual(["418 no_answer: no answer of the service", 1])
  })
})

type Answer = "busy" | "lost" | "odd" | "page" | "through" | "tomorrow"

/** What stands before a service, and gives answers in its place. */
const proxyWith = async (answers: ReadonlyArray<Answer>) => {
  let asked = 0
  const server = createServer((request, response) => {
    const answer = answers[asked++] ?? "odd"
    if (answer === "lost") request.socket.destroy()
    else if (answer === "through") void passThrough(request, response)
    else response.writeHead(...headOf[answer]).end(bodyOf[answer])
  })
  const url = await listen(server)
  return { url, asked: () => asked, [Symbol.asyncDispose]: async () => void server.close() }
}

const json = { "content-type": "application/json" }
const headOf: Readonly<Record<Exclude<Answer, "lost" | "through">, [number, Record<string, string>]>> = {
  busy: [503, { ...json, "retry-after": "0" }],
  page: [502, { "content-type": "text/html", "retry-after": "0" }],
  tomorrow: [429, { ...json, "retry-after": "40000" }],
  odd: [418, json]
}
const bodyOf = {
  busy: `{"error":{"code":"service_unavailable","message":"busy"}}`,
  page: "<!doctype html><title>Bad gateway</title>",
  tomorrow: `{"error":{"code":"rate_limit_exceeded","message":"until tomorrow"}}`,
  odd: `["teapot"]`
}

const passThrough = async ({ headers, url }: IncomingMessage, response: ServerResponse): Promise<void> => {
  const answer = await fetch(service.url + url, { headers: { "x-api-key": String(headers["x-api-key"]) } })
  response.writeHead(answer.status, json).end(await answer.text())
}

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe("the check of a webhook", () => {
  it.for(others)("in $name accepts the message of the page only", async (language) => {
    const [, answer = ""] =
      new RegExp("```" + language.name + "\\n[\\s\\S]*?\\n```\\n\\n```text\\n([\\s\\S]*?)\\n```").exec(
        sections.get(webhook) ?? ""
      ) ?? []
    expect(await run(language, textOf(language, webhook))).toBe(answer)
  })

  it("in a shell computes the same signature", async () => {
    const example = examplesIn(sections.get(webhook) ?? "").find(({ language }) => language === "sh")
    expect((await outputOf("sh", ["-e", "-c", example?.code ?? ""], folder, env)).trim()).toBe(example?.answer?.text)
  })

  it("in both accepts what the service sends now, and nothing else", async () => {
    const { body, headers, secret } = await sentWebhook()
    const other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
    const own = { BODY: body, HEADERS: JSON.stringify(headers), SECRET: secret, OTHER: other }
    const lines = {
      python: `h, b = json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode()
for s, x, y in ((os.environ["SECRET"], h, b), (os.environ["OTHER"], h, b), (os.environ["SECRET"], h, b + b" "),
                (os.environ["SECRET"], {}, b), (os.environ["SECRET"], {**h, "webhook-timestamp": "soon"}, b),
                (os.environ["SECRET"], {**h, "webhook-signature": "v1,AAAA " + h["webhook-signature"]}, b)):
    print(int(is_ours(s, x, y)), end="")`,
      php: `$h = json_decode(getenv('HEADERS'), true); $b = getenv('BODY'); $s = getenv('SECRET');
foreach ([[$s, $h, $b], [getenv('OTHER'), $h, $b], [$s, $h, "$b "], [$s, [], $b], [$s, ['webhook-timestamp' => 'soon'] + $h, $b],
          [$s, ['webhook-signature' => 'v1,AAAA ' . $h['webhook-signature']] + $h, $b]] as $one) echo (int) isOurs(...$one);`
    }
    for (const language of others) {
      const text = textOf(language, webhook).replace(/^(print|echo).*$/gm, "")
      const imports = language.name === "python" ? "import json, os\n" : ""
      const output = await run(language, `${imports}${text}\n${lines[language.name as "php" | "python"]}\n`, own)
      expect(output, language.name).toBe("100001")
    }
  })
})

/** A message that the service sends to an endpoint on this machine. */
const sentWebhook = async () => {
  const server = createServer()
  const url = await listen(server)
  try {
    const { id: organization } = await manage<{ id: string }>("organizations", { name: "Languages" })
    const { id, secret } = await manage<{ id: string; secret: string }>(`organizations/${organization}/webhooks`, {
      url
    })
    const received = once(server, "request")
    await manage(`webhooks/${id}/test`)
    const [request, response] = (await received) as [IncomingMessage, ServerResponse]
    const body = Buffer.concat(await request.toArray()).toString()
    response.end()
    return { body, headers: request.headers, secret }
  } finally {
    server.close()
  }
}

const manage = async <A>(path: string, body?: object): Promise<A> => {
  const response = await fetch(`${service.url}/v1/admin/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.secrets.POSTCODE_OPERATOR_TOKEN}`, ...(body && json) },
    ...(body && { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly data: A }).data
}

// Where one is missing, the report has this as skipped.
it.skipIf(interpreters.length < all.length)("every interpreter is installed: apt-get install python3 php-cli", () => {
  expect(interpreters).toEqual(all)
})
