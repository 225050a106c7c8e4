import { join } from "node:path"
import { start } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import { describe, expect, it } from "vitest"
import { run } from "./RunCommand.ts"

describe("requested help", () => {
  it("is printed on standard output with exit code 0, for the command and for each subcommand", async () => {
    const [whole, part] = await Promise.all([run(["--help"]), run(["keys", "create", "--help"])])
    expect(whole).toMatchObject({ code: 0, stderr: "" })
    for (const name of ["serve", "demo", "parse", "complete", "reverse", "nearby"]) expect(whole.stdout).toContain(name)
    for (const name of ["orgs", "keys", "credits", "access", "audit"]) expect(whole.stdout).toContain(name)
    expect(part).toMatchObject({ code: 0, stderr: "" })
    expect(part.stdout).toContain("--max-level N")
    expect(whole.stdout + part.stdout).not.toContain("\u001b")
  })

  it("includes the version", async () => {
    const { code, stderr, stdout } = await run(["--version"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^postcode \d+\.\d+\.\d+\n$/)
  })

  it.each(["bash", "zsh", "fish", "powershell"])("includes a completion script for %s", async (shell) => {
    const { code, stderr, stdout } = await run(["--completions", shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("max-level")
  })
})

describe("wrong usage ends with 2, an empty standard output, and a message with the mistake and the help", () => {
  interface Case {
    readonly args: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
    readonly says: string
    readonly see: string
  }

  it.each<Case>([
    { args: ["orgs", "lst"], says: "postcode orgs has no command lst: did you mean list?", see: "postcode orgs" },
    {
      args: ["serve", "--prot", "1"],
      says: "postcode serve has no flag --prot: did you mean --port?",
      see: "postcode serve"
    },
    { args: ["serve", "--port"], says: "--port needs a value", see: "postcode serve" },
    {
      args: ["serve", "--port="],
      says: "--port: expected a whole number from 0 to 65535, found nothing",
      see: "postcode serve"
    },
    {
      args: ["reverse", "91", "3"],
      says: 'LAT: expected a latitude in degrees from -90 to 90, not "91"',
      see: "postcode reverse"
    },
    {
      args: ["reverse", "6", "3", "25"],
      says: "postcode reverse takes no further argument: 25",
      see: "postcode reverse"
    },
    { args: ["keys", "create", "org_1"], says: "--name is missing", see: "postcode keys create" },
    {
      args: ["serve"],
      env: { POSTCODE_KEY_RATE_LIMIT: "0" },
      says: 'POSTCODE_KEY_RATE_LIMIT: expected a whole number from 1 to 1000000, not "0"',
      see: "postcode serve"
    },
    ...["serve", "import ./nigeria"].map((command) => ({
      args: command.split(" "),
      env: { DATABASE_URL: "postgresql://me:a-password@db/postcode?sslmode=prefer" },
      says:
        "DATABASE_URL: expected an address with sslmode disable, require, verify-ca or verify-full, " +
        "or without sslmode, which is disable",
      see: `postcode ${command.split(" ")[0]}`
    })),
    {
      args: ["serve"],
      env: { POSTCODE_OPERATOR_TOKEN: "too-short" },
      says: `POSTCODE_OPERATOR_TOKEN: expected ${strongSecretForm}`,
      see: "postcode serve"
    }
  ])("$args $env", async ({ args, env = {}, says, see }) => {
    expect(await run(args, { env })).toEqual({ code: 2, stdout: "", stderr: `error: ${says}\nsee ${see} --help\n` })
  })

  it.each([
    { args: ["orgs", "lst"], see: "orgs" },
    { args: ["serve"], env: { POSTCODE_OPERATOR_TOKEN: "too-short" }, see: "serve" },
    { args: ["serve"], env: { POSTCODE_ADMIN_EMAIL: "ada@people.example" }, see: "serve" }
  ])("the help is named as the command was started: $args $env", async ({ args, env = {}, see }) => {
    const { stderr } = await run(args, { env: { npm_command: "exec", ...env } })
    expect(stderr).toMatch(new RegExp(`\\nsee npx postcode ${see} --help\\n$`))
  })

  it("a command without a subcommand lists its subcommands", async () => {
    const { code, stderr, stdout } = await run(["credits"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/\n {2}show +Show.*\n {2}prices +Show.*\n {2}grant +Add/)
  })

  it("a token as an argument is refused and not repeated", async () => {
    const { code, stderr, stdout } = await run(["orgs", "list", "--token", "very-secret-token-of-mine"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).not.toContain("very-secret")
  })
})

describe("output", () => {
  it("is all written before the process ends, also to a pipe that is full", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "codes.csv": `code\n${"x\n".repeat(50_000)}` })
    const child = start(["validate", join(folder.path, "codes.csv")])
    let said = ""
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      // By then it has said all that it has to say.
      if (said === "") await new Promise((resolve) => setTimeout(resolve, 1_500))
      said += chunk
    }
    expect(said.match(/^x,malformed,/gm)).toHaveLength(50_000)
  })
})
