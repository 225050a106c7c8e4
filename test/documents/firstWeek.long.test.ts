// The tutorial of an operator's first week, command by command, on a database of its own: its service starts where the page
// starts it.
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeTestDatabase } from "../../drills/kit/postgres/index.ts"
import { root } from "../../scripts/workspace.mjs"
import { type Example, examplesIn, generalized, isAnsweredBy } from "../markdown/MarkdownExamples.ts"
import { commandsOf, isRun, withoutSettingUp } from "../markdown/ShellCommands.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { type DemonstrationService, ownEnvironment, startService } from "./DemonstrationService.ts"
import { commandLine, outputOf, rememberIds, shellFunctions } from "./ExampleSession.ts"
import { firstWeek } from "./PagesWithOwnTests.ts"

const examples = examplesIn(await readFile(join(root, firstWeek), "utf8"))

let folder = ""
let database: Awaited<ReturnType<typeof makeTestDatabase>>
let service: DemonstrationService | undefined
let env: NodeJS.ProcessEnv = ownEnvironment()

beforeAll(async () => {
  requireBuilt()
  folder = await mkdtemp(join(tmpdir(), "first-week-"))
  database = await makeTestDatabase()
  // A data folder has such secrets.
  const secret = () => randomBytes(32).toString("hex")
  const secrets = { POSTCODE_IDENTIFIER_PEPPER: secret(), POSTCODE_SESSION_KEYS: `first:${secret()}` }
  env = { ...env, ...secrets, XDG_CONFIG_HOME: join(folder, "configuration"), DATABASE_URL: database.url }
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = async (code: string): Promise<string> => {
  const commands = withoutSettingUp(code).replaceAll("http://127.0.0.1:3000", service?.url ?? "")
  const output = await outputOf("sh", ["-e", "-c", `${shellFunctions}\n${commands}`], folder, env)
  rememberIds(output, env)
  const [key] = /^svc_test_\w+/m.exec(output) ?? []
  if (key !== undefined) env.POSTCODE_KEY = key
  return output
}

/** Replicas follow within seconds: a request is repeated until its answer is the one that the page shows. */
const check = async ({ answer, code }: Example): Promise<void> => {
  const isRequest = commandsOf(withoutSettingUp(code)).every((command) => command.startsWith("curl "))
  const isShown = (output: string) => answer === undefined || isAnsweredBy(answer, output)
  let output = await run(code)
  const deadline = Date.now() + 20_000
  while (isRequest && !isShown(output) && Date.now() < deadline) output = await run(code)
  expect(isShown(output), `it answered:\n${generalized(output)}`).toBe(true)
}

it.for(examples.map((example) => [`line ${example.line}: ${commandsOf(example.code)[0] ?? ""}`, example] as const))(
  "%s",
  async ([, example]) => {
    if (example.code === "npx postcode serve") {
      service = await startService([commandLine], env)
      env = { ...env, POSTCODE_OPERATOR_TOKEN: service.secrets.POSTCODE_OPERATOR_TOKEN, POSTCODE_URL: service.url }
    } else if (isRun(example)) await check(example)
  }
)
