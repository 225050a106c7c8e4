// The example offline-search: its program for Node, and its page, which is built and then run on a stand-in of a
// browser's document that has nothing of Node.
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { createContext, runInContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Directory } from "../packages/core/src/Directory.ts"
import { snapshotPieces } from "../packages/core/src/Snapshot.ts"
import { demoDirectory } from "../packages/demo/src/index.ts"
import { root } from "../scripts/workspace.mjs"

const example = join(root, "examples", "offline-search")

let folder = ""
let snapshot = ""
let directory: Directory

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "offline-search-"))
  snapshot = join(folder, "nigeria.snapshot")
  directory = demoDirectory({ units: 20_000 }).directory
  await writeFile(snapshot, [...snapshotPieces(directory)])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a program of the example; one that fails answers its exit code. */
const run = async (...args: ReadonlyArray<string>) => {
  const command = ["--conditions=@postcode/source", ...args]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: example })
    return { code: 0, stdout }
  } catch (error) {
    const { code, stderr, stdout } = error as {
      readonly code: number
      readonly stderr: string
      readonly stdout: string
    }
    return { code, stdout, stderr }
  }
}

/** The first unit that is active, or the first that is not, and its point. */
const someUnit = (active = true) => {
  const id = Array.from({ length: directory.size }, (_, id) => id).find((id) => directory.isActive(id) === active)
  const { lat, lon } = directory.coordinateAt(id as number)
  return { postcode: directory.postcodeAt(id as number), point: `${lat},${lon}` }
}

describe("the program for Node", () => {
  it("validates, completes by code and by name, and finds what is near a point", async () => {
    const { point, postcode } = someUnit()
    const { code, stdout } = await run("main.ts", snapshot, postcode.toLowerCase(), "LA-11-B03-PD-99", "la ike", point)
    const lines = stdout.split("\n")
    expect(code).toBe(0)
    expect(lines.slice(0, 6)).toEqual([
      `${postcode.toLowerCase()}:`,
      expect.stringMatching(new RegExp(`^  ${postcode} is active, .+, .+$`)),
      "LA-11-B03-PD-99:",
      "  LA-11-B03-PD-99 is no unit of this directory",
      "la ike:",
      "  LA-11  Ikeja"
    ])
    expect(lines[6]).toBe(`${point}:`)
    expect(lines[7]).toContain(`${postcode}  0 m  high`)
  })

  it("says that nothing was found", async () => {
    const { stdout } = await run("main.ts", snapshot, "?", "0 0")
    expect(stdout).toBe("?:\n  nothing in the directory continues this\n0 0:\n  no active unit lies within 2000 m\n")
  })

  it("shows how it is used, and refuses a file that is no snapshot", async () => {
    expect(await run("main.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("usage: npm start") })
    const refused = await run("main.ts", join(example, "README.md"), "la")
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("InvalidSnapshot: not a snapshot") })
  })
})

describe("the page", () => {
  let html = ""
  beforeAll(async () => {
    expect(await run("build.ts", folder)).toMatchObject({ code: 0 })
    html = await readFile(join(folder, "index.html"), "utf8")
  })

  it("is one file that refers to no other, and may ask no one for anything", () => {
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object)\b[^>]*\b(?:src|href|data)=/i)
    expect(html).not.toMatch(/@import|\burl\(/)
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none';/)
    expect(html.match(/<\/script/g)).toHaveLength(1)
  })

  it("holds core's searches and nothing of effect", () => {
    expect(programOf(html)).not.toMatch(/effect|Effect/)
  })

  it("opens a snapshot, validates, completes, and finds what is near a point", async () => {
    const page = startPage(html)
    expect(page.element("search").hidden).toBe(true)
    await page.choose("nigeria.snapshot", await readFile(snapshot))
    expect(page.element("status").textContent).toBe(
      `demo-20000-1: 20,000 units, ${directory.activeSize.toLocaleString("en")} of them active`
    )
    expect(page.element("search").hidden).toBe(false)

    page.type("la ike")
    expect(page.answer()).toBe("Which lga? LA-11 Ikeja")
    page.click("LA-11")
    expect(page.element("text").value).toBe("LA-11")
    expect(page.answer()).toMatch(/^Which district\? LA-11-/)

    const { point, postcode } = someUnit()
    page.type(postcode.replaceAll("-", "").toLowerCase())
    expect(page.answer()).toContain(`${postcode.replaceAll("-", " ")} This unit exists and is active.`)
    page.type(someUnit(false).postcode)
    expect(page.answer()).toContain("This unit existed, and is retired.")
    page.type("LA-11-B03-PD-99")
    expect(page.answer()).toContain("there is no such unit")
    page.type(point)
    expect(page.answer()).toMatch(new RegExp(`^Nearest units: ${postcode.replaceAll("-", " ")} 0 m`))
    page.type("?")
    expect(page.answer()).toBe("Nothing in the directory continues this.")
  })

  it("asks the browser where it is, and says so if it does not tell", async () => {
    const [lat = 0, lon = 0] = someUnit().point.split(",").map(Number)
    const page = startPage(html, { latitude: lat, longitude: lon })
    await page.choose("nigeria.snapshot", await readFile(snapshot))
    page.element("here").fire("click")
    expect(page.answer()).toContain("0 m")
    const refused = startPage(html)
    await refused.choose("nigeria.snapshot", await readFile(snapshot))
    refused.element("here").fire("click")
    expect(refused.answer()).toBe("The browser does not tell where you are. denied")
  })

  it("says what is wrong with a file that is no snapshot, and keeps the one it has", async () => {
    const page = startPage(html)
    await page.choose("notes.txt", Buffer.from("no snapshot"))
    expect(page.element("status").textContent).toMatch(/^notes\.txt was not opened: not a snapshot/)
    expect(page.element("search").hidden).toBe(true)
    await page.choose("nigeria.snapshot", await readFile(snapshot))
    await page.choose("cut off", (await readFile(snapshot)).subarray(0, 5_000))
    expect(page.element("status").textContent).toMatch(/^cut off was not opened: truncated/)
    page.type("la ike")
    expect(page.answer()).toBe("Which lga? LA-11 Ikeja")
  })
})

const programOf = (html: string): string => /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ""

type Listener = (event: { readonly preventDefault: () => void }) => void

/** As much of an element as the page uses. */
class FakeElement {
  value = ""
  className = ""
  hidden = false
  type = ""
  files: ReadonlyArray<{ readonly name: string; readonly arrayBuffer: () => Promise<ArrayBuffer> }> = []
  private text = ""
  private children: ReadonlyArray<FakeElement> = []
  private readonly listeners = new Map<string, Listener>()

  get textContent(): string {
    return [this.text, ...this.children.map((child) => child.textContent)].filter((text) => text !== "").join(" ")
  }

  set textContent(text: string) {
    this.text = text
    this.children = []
  }

  append(...children: ReadonlyArray<FakeElement>): void {
    this.children = [...this.children, ...children]
  }

  replaceChildren(...children: ReadonlyArray<FakeElement>): void {
    this.children = children
  }

  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, listener)
  }

  fire(name: string): void {
    this.listeners.get(name)?.({ preventDefault: () => {} })
  }

  focus(): void {}

  /** This and all that is in it. */
  all(): ReadonlyArray<FakeElement> {
    return [this, ...this.children.flatMap((child) => child.all())]
  }
}

interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** Runs the page's program in a context of its own, which has the language and what is given here. */
const startPage = (html: string, position?: Position) => {
  const elements = new Map(
    [...html.matchAll(/\bid="(\w+)"( hidden)?/g)].map(([, id, hidden]) => {
      const element = new FakeElement()
      element.hidden = hidden !== undefined
      return [id as string, element] as const
    })
  )
  const element = (id: string): FakeElement => {
    const found = elements.get(id)
    if (found === undefined) throw new Error(`the page has no element ${id}`)
    return found
  }
  const getCurrentPosition = (
    found: (at: { coords: Position }) => void,
    failed: (error: { message: string }) => void
  ) => (position === undefined ? failed({ message: "denied" }) : found({ coords: position }))
  const document = { getElementById: element, createElement: () => new FakeElement() }
  runInContext(
    programOf(html),
    createContext({ document, navigator: { geolocation: { getCurrentPosition } }, TextDecoder })
  )
  return {
    element,
    answer: () => element("answer").textContent,
    choose: async (name: string, bytes: Uint8Array) => {
      const { buffer } = Uint8Array.from(bytes)
      element("file").files = [{ name, arrayBuffer: () => Promise.resolve(buffer) }]
      element("file").fire("change")
      await expect.poll(() => element("status").textContent).not.toMatch(/^Opening /)
    },
    type: (text: string) => {
      element("text").value = text
      element("text").fire("input")
    },
    click: (title: string) => {
      const buttons = element("answer")
        .all()
        .filter((one) => one.type === "button" && one.textContent.startsWith(title))
      expect(buttons).toHaveLength(1)
      buttons[0]?.fire("click")
    }
  }
}
