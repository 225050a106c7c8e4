/** The example offline-search: its program for Node, and its page, which is built and opened in a real browser. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Directory } from "../../packages/core/src/directory/Directory.ts"
import { snapshotPieces } from "../../packages/core/src/directory/snapshot/Snapshot.ts"
import { demoDirectory } from "../../packages/demo/src/index.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { root } from "../../scripts/workspace.mjs"

const example = join(root, "examples", "offline-search")

let folder = ""
let snapshot = ""
let directory: Directory
let house: { readonly text: string; readonly postcode: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "offline-search-"))
  snapshot = join(folder, "nigeria.snapshot")
  const demo = demoDirectory({ units: 20_000, addresses: true })
  directory = demo.directory
  house = someHouse(demo)
  await writeFile(snapshot, [...snapshotPieces(directory, { addresses: true })])
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

/** The address of an active unit that no other unit has, as somebody may type it. */
const someHouse = ({ attributes, directory }: ReturnType<typeof demoDirectory>) => {
  const units = Array.from({ length: directory.size }, (_, id) => {
    const { locality_name, recent_address } = attributes(id)
    const postcode = directory.postcodeAt(id)
    const text = `${recent_address} ${locality_name} ${directory.placeNames(postcode).lga_name}`.toLowerCase()
    return { text, postcode, isFit: directory.isActive(id) && /^\d+ /.test(text) }
  })
  const times = new Map<string, number>()
  for (const { text } of units) times.set(text, (times.get(text) ?? 0) + 1)
  const found = units.find(({ isFit, text }) => isFit && times.get(text) === 1)
  if (found === undefined) throw new Error("no address is the only one of its kind")
  return found
}

describe("the program for Node", () => {
  it("validates, completes by code and by name, and finds addresses and units near a point", async () => {
    const { point, postcode } = someUnit()
    const texts = [postcode.toLowerCase(), "LA-11-B03-PD-99", "la ike", house.text, point]
    const { code, stdout } = await run("main.ts", snapshot, ...texts)
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
    expect(lines[6]).toBe(`${house.text}:`)
    expect(lines[7]).toMatch(new RegExp(`^  ${house.postcode}  high  \\d`))
    expect(lines.at(lines.indexOf(`${point}:`) + 1)).toContain(`${postcode}  0 m  high`)
  })

  it("reports that nothing was found", async () => {
    const { stdout } = await run("main.ts", snapshot, "zz", "?", "0 0")
    const [completion, question, point] = stdout.split(/^\S.*:\n/m).slice(1)
    expect(completion).toBe("  nothing in the directory continues this\n")
    expect(question).toBe("  this says that there is no address\n")
    expect(point).toBe("  no active unit lies within 2000 m\n")
  })

  it("shows how it is used, and refuses a file that is no snapshot", async () => {
    expect(await run("main.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("usage: npm start") })
    const refused = await run("main.ts", join(example, "README.md"), "la")
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("InvalidSnapshot: not a snapshot") })
  })
})

describe("the page", () => {
  let browser: Browser
  let html = ""
  let bytes: Buffer
  const address = () => pathToFileURL(join(folder, "index.html")).href
  /** What pages asked for, and what went wrong in them. */
  const asked: Array<string> = []
  const complaints: Array<string> = []

  beforeAll(async () => {
    expect(await run("build.ts", folder)).toMatchObject({ code: 0 })
    html = await readFile(join(folder, "index.html"), "utf8")
    bytes = await readFile(snapshot)
    browser = await sharedBrowser()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
    expect(asked.splice(0).filter((url) => url !== address())).toEqual([])
  })

  /** Opens it as a file, as its reader would. */
  const open = async (options: ContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    page.on("request", (request) => asked.push(request.url()))
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text())
    })
    await page.goto(address())
    return page
  }
  const openWithSnapshot = async (options: ContextOptions = {}): Promise<Page> => {
    const page = await open(options)
    await choose(page, "nigeria.snapshot", bytes)
    await page.locator("#search").waitFor()
    return page
  }

  it("is one file without references, and its policy allows no requests", () => {
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object)\b[^>]*\b(?:src|href|data)=/i)
    expect(html).not.toMatch(/@import|\burl\(/)
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none';/)
    expect(html.match(/<\/script/g)).toHaveLength(1)
  })

  it("contains core's searches and nothing of Effect", () => {
    const [, program = ""] = /<script>([\s\S]*)<\/script>/.exec(html) ?? []
    expect(program.length).toBeGreaterThan(10_000)
    expect(program).not.toMatch(/effect|Effect/)
  })

  it("opens a snapshot, validates, completes, and finds units near a point", async () => {
    const page = await open()
    expect(await page.locator("#search").isVisible()).toBe(false)
    await choose(page, "nigeria.snapshot", bytes)
    const active = directory.activeSize.toLocaleString("en")
    const megabytes = (bytes.length / 1e6).toFixed(1)
    await said(page, "#status").toMatch(
      new RegExp(
        `^demo-20000-1: 20,000 units, ${active} of them active, with addresses; ${megabytes} MB, opened in \\d+ ms$`
      )
    )

    const text = page.getByRole("searchbox")
    await text.fill("la ike")
    await said(page, "#answer").toBe("Which LGA? LA-11 Ikeja")
    await page.getByRole("button", { name: "LA-11" }).click()
    expect(await text.inputValue()).toBe("LA-11")
    await said(page, "#answer").toMatch(/^Which district\? LA-11-/)

    const { point, postcode } = someUnit()
    await text.fill(postcode.replaceAll("-", "").toLowerCase())
    await said(page, "#answer").toContain(`${postcode.replaceAll("-", " ")} This unit exists and is active.`)
    await text.fill(someUnit(false).postcode)
    await said(page, "#answer").toContain("This unit existed, and is retired.")
    await text.fill("LA-11-B03-PD-99")
    await said(page, "#answer").toContain("there is no such unit")
    await text.fill(point)
    await said(page, "#answer").toMatch(new RegExp(`^Nearest units: ${postcode.replaceAll("-", " ")} 0 m`))
    await text.fill("zz")
    await said(page, "#answer").toBe("Nothing in the directory continues this.")
  })

  it("finds an address without a server, and shows other candidates", async () => {
    const page = await openWithSnapshot()
    const text = page.getByRole("searchbox")
    await text.fill(house.text)
    await said(page, "#answer").toContain(house.postcode.replaceAll("-", " "))
    expect(await page.locator("article .active").count()).toBe(1)
    await text.fill(`opposite ${house.text}`)
    await said(page, "#answer").not.toContain(house.postcode.replaceAll("-", " "))
    await text.fill("Surulere")
    await said(page, "#answer").toBe("Which LGA? LA-20 Surulere, Lagos OY-33 Surulere, Oyo")
    await text.fill("Ikeja")
    await said(page, "#answer").toMatch(/^LA 11 Ikeja, Lagos A whole local government area: add a street or a place\./)
    await said(page, "#answer").not.toContain(" 0 %")
    await page.getByRole("button", { name: "What is in it?" }).click()
    await said(page, "#answer").toMatch(/^Which district\? LA-11-/)
  })

  it("completes names in a snapshot without addresses", async () => {
    const page = await open()
    await choose(page, "small.snapshot", Buffer.concat([...snapshotPieces(directory)]))
    await said(page, "#status").toMatch(/without addresses; 0\.\d MB/)
    await page.getByRole("searchbox").fill(house.text)
    await said(page, "#answer").not.toContain(house.postcode.replaceAll("-", " "))
  })

  it("uses the browser's location, and reports if it is denied", async () => {
    const [latitude = 0, longitude = 0] = someUnit().point.split(",").map(Number)
    const geolocation = { latitude, longitude }
    const page = await openWithSnapshot({ geolocation, permissions: ["geolocation"] })
    await page.getByRole("button", { name: "Where am I?" }).click()
    await said(page, "#answer").toContain("0 m")
    const refused = await openWithSnapshot()
    await refused.getByRole("button", { name: "Where am I?" }).click()
    await said(refused, "#answer").toMatch(/^The browser does not tell where you are\. ./)
  })

  it("reports what is wrong with a file that is not a snapshot, and keeps the open one", async () => {
    const page = await open()
    await choose(page, "notes.txt", Buffer.from("no snapshot"))
    await said(page, "#status").toMatch(/^notes\.txt was not opened: not a snapshot/)
    expect(await page.locator("#search").isVisible()).toBe(false)
    await choose(page, "nigeria.snapshot", bytes)
    await page.locator("#search").waitFor()
    await choose(page, "cut off", bytes.subarray(0, 5_000))
    await said(page, "#status").toMatch(/^cut off was not opened: truncated/)
    await page.getByRole("searchbox").fill("la ike")
    await said(page, "#answer").toBe("Which LGA? LA-11 Ikeja")
  })

  it("opens a dropped file", async () => {
    const page = await open()
    const dataTransfer = await page.evaluateHandle(`(() => {
      const dragged = new DataTransfer()
      dragged.items.add(new File(["no snapshot"], "dropped.txt"))
      return dragged
    })()`)
    await page.locator("#drop").dispatchEvent("drop", { dataTransfer })
    await said(page, "#status").toMatch(/^dropped\.txt was not opened: not a snapshot/)
  })
})

type Browser = Awaited<ReturnType<typeof sharedBrowser>>
type Page = Awaited<ReturnType<Browser["newPage"]>>
type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>

const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator("#file").setInputFiles({ name, mimeType: "application/octet-stream", buffer })

/** What an element shows, sooner or later. */
const said = (page: Page, selector: string) =>
  expect.poll(async () => (await page.locator(selector).allInnerTexts()).join(" ").replace(/\s+/g, " ").trim())
