/** The parts that need no browser, and the promises about files. */
import { readFileSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeSelection } from "@postcode/core/Selection"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeBundle } from "../bundle.ts"
import { choiceOf } from "../src/discover/choiceOf.ts"
import { textsOf } from "../src/Fill.ts"
import { createPicker, definePicker, PostcodePicker } from "../src/index.ts"
import { described, directionOf } from "../src/Location.ts"
import { messages as later } from "../src/languages/en.ts"
import { messages as french } from "../src/languages/fr.ts"
import { messages as hausa } from "../src/languages/ha.ts"
import { messages as igbo } from "../src/languages/ig.ts"
import { languages, loadMessages } from "../src/languages/loadMessages.ts"
import { fill, english as first, type Messages } from "../src/languages/Messages.ts"
import { messages as yoruba } from "../src/languages/yo.ts"
import { findPosition, nearestUnit, radiusFor } from "../src/nearestUnit.ts"
import { correction } from "../src/Rows.ts"
import { asker } from "../src/session/Ask.ts"
import { Problem } from "../src/session/Request.ts"
import { type Choice, Search, type Suggestion } from "../src/session/Search.ts"
import { depthUntil, readCode, slotsOf } from "../src/TypedCode.ts"
import { makeHeld } from "./Held.ts"
import { listen } from "./Listening.ts"

const english: Messages = { ...first, ...later }
const request = asker(Problem)
const searchTools = { ask: request, Problem, slotsOf }
const words = { fill, messages: english }

const file = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

describe("a correction", () => {
  it("names the segments that differ, and what was typed there", () => {
    const of = (text: string, code: string) => {
      const [segments, from, until, typed] = correction(text, code)
      return `${segments.slice(from, until).join(" ")}, not ${typed}`
    }
    expect(of("la11b03rd2b", "LA-11-B03-RD-28")).toBe("28, not 2B")
    expect(of("LA 11 B03 PD 1", "LA-11-B03-PD-01")).toBe("01, not 1")
    expect(of("LA11B03PD011", "LA-11-B03-PD-01")).toBe("01, not 011")
    expect(of("XLA-11-B03-PD-01", "LA-11-B03-PD-01")).toBe("LA, not XLA")
    expect(of("LA111B03PD01", "LA-11-B03-PD-01")).toBe("B03, not 1B03")
    expect(of("LA-11-B03-DP-01", "LA-11-B03-PD-01")).toBe("PD, not DP")
    expect(of("L1A2A03BG07", "LA-12-A03-BG-07")).toBe("LA 12, not L1A2")
    expect(of("LA-1I-B03-PD-11", "LA-11-B03-PD-11")).toBe("11, not 1I")
  })
})

describe("typed text", () => {
  it("is split into the five segments as far as it can be a postcode", () => {
    expect(slotsOf("")).toEqual(["", "", "", "", ""])
    expect(slotsOf("la-11 b")).toEqual(["LA", "11", "B", "", ""])
    expect(slotsOf("LA12A03BG07")).toEqual(["LA", "12", "A03", "BG", "07"])
    for (const text of ["lag", "la x", "1", "LA12A03BG070", "la12a03b7", "ſa"]) expect(slotsOf(text)).toBeUndefined()
  })

  it("is a code when it ends with a segment of the required depth", () => {
    expect(readCode("la", 1)).toBe("LA")
    expect(readCode("la 12", 1)).toBe("LA-12")
    expect(readCode("la 12 a03", 5)).toBeUndefined()
    expect(readCode("la 1", 1)).toBeUndefined()
    expect(readCode("", 1)).toBeUndefined()
  })

  it("has core's grammar when it is complete, for every row of the vectors", () => {
    const rows = file("../../../vectors/postcode.csv").trim().split("\n").slice(1)
    for (const row of rows.map(fieldsOf)) {
      const [input = "", valid, canonical] = row
      expect([input, readCode(input, 5)]).toEqual([input, valid === "true" ? canonical : undefined])
    }
    expect(rows.length).toBeGreaterThan(100)
  })

  it("must reach the segment that the page names, by default the unit", () => {
    expect(["state", "lga", "district", "area", "unit", "", "town", null].map(depthUntil)).toEqual([
      1, 2, 3, 4, 5, 5, 5, 5
    ])
  })
})

/** The fields of a row whose texts may be quoted, with their escapes read. */
const fieldsOf = (row: string): ReadonlyArray<string> =>
  [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? "").replace(/\\u([0-9A-F]{4})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16))
    )
  )

describe("the radius around a position", () => {
  it("is its accuracy from 25 to 250 m; a larger or unknown accuracy is refused", () => {
    expect([0, 25, 25.1, 100, 250].map(radiusFor)).toEqual([25, 25, 26, 100, 250])
    expect([250.1, 5_000, Number.NaN, Number.POSITIVE_INFINITY].map(radiusFor)).toEqual(Array(4).fill(undefined))
  })

  it("a browser without geolocation is treated like one that denies it", async () => {
    expect(await findPosition()).toBeUndefined()
    const answer = await nearestUnit(undefined, new Search(searchTools), "", words, new AbortController().signal)
    expect(answer).toEqual({ message: "denied", values: {} })
  })
})

describe("a part without a name", () => {
  const centreOf = (lat: number, lng: number) => ({ centre: { lat, lng } })
  const suggestion = (code: string, units?: number, centre = {}): Suggestion => ({
    code,
    label: code,
    prefix: `LA-11-${code}` as Suggestion["prefix"],
    ...(units !== undefined && { units }),
    ...centre
  })
  const notes = (suggestions: ReadonlyArray<Suggestion>) => {
    const choices = suggestions.map(({ prefix }): Choice => ({ code: prefix, label: "", source: "search" }))
    return described(choices, suggestions, words).map(({ note }) => note)
  }

  it("is described relative to the weighted centre of all parts if the parent is unknown", () => {
    const parts = [suggestion("B03", 300, centreOf(6.6, 3.35)), suggestion("B04", 100, centreOf(6.64, 3.35))]
    expect(notes(parts)).toEqual(["300 addresses in the south of LA 11", "100 addresses in the north of LA 11"])
  })

  it("is described by its number of addresses, and its direction from the centre of its parent", () => {
    notes([{ ...suggestion("", 300, centreOf(6.6, 3.35)), prefix: "LA-11" as Suggestion["prefix"] }])
    const north = { ...suggestion("B03", 214, centreOf(6.603, 3.353)), within: "Ikeja, Lagos" }
    const west = suggestion("B04", 1, centreOf(6.6, 3.33))
    const middle = suggestion("B05", 20, centreOf(6.601, 3.35))
    expect(notes([north, west, middle, suggestion("B06", 7), suggestion("B07")])).toEqual([
      "214 addresses in the north-east of Ikeja",
      "1 address in the west of Ikeja",
      "20 addresses",
      "7 addresses",
      undefined
    ])
  })

  it("of a district has its direction within the district, by the code: districts have no names", () => {
    const areas = [suggestion("C01-QD", 70, centreOf(6.6, 3.35)), suggestion("C01-QE", 70, centreOf(6.62, 3.35))]
    expect(notes(areas.map((area) => ({ ...area, within: "Ikeja, Lagos" })))[0]).toBe(
      "70 addresses in the south of LA 11 C01"
    )
  })

  it("has each of the eight directions", () => {
    const directions = english.directions.split("|")
    const parts = directions.map((_, eighth) => {
      const angle = (eighth * Math.PI) / 4 + 0.3
      const [lat, lng] = [6.6 + Math.cos(angle) / 100, 3.35 + Math.sin(angle) / 100]
      return suggestion(`B0${eighth}`, 50, centreOf(lat, lng))
    })
    expect(notes(parts)).toEqual(directions.map((name) => `50 addresses in the ${name} of LA 11`))
  })
})

describe("a direction", () => {
  it("is the nearest of eight, clockwise from north, also across the date line", () => {
    const steps = [
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
      [0, -1],
      [1, -1]
    ] as const
    const wrapped = (lng: number): number => (lng > 180 ? lng - 360 : lng)
    for (const lat of [0, 6.5966, 60]) {
      const shrink = Math.cos((lat * Math.PI) / 180)
      const names = steps.map(([north, east]) => {
        const to = { lat: lat + north / 1e3, lng: wrapped(179.9999 + east / 1e3 / shrink) }
        return directionOf({ lat, lng: 179.9999 }, to, english)
      })
      expect(names).toEqual(english.directions.split("|"))
    }
  })
})

describe("the fields of a page are filled", () => {
  const address = "12 Allen Avenue, Ikeja GRA, Ikeja, Lagos"
  it("with the address without the parts that have separate fields, and with codes for unknown names", () => {
    const choice = { address, code: "LA-11-B03-QD-10" as Choice["code"] }
    const names = { state: "Lagos", lga: "Ikeja" }
    expect(textsOf(choice, names, false)).toEqual({
      address: ["12 Allen Avenue"],
      area: ["QD"],
      district: ["B03"],
      lga: ["Ikeja", "LA-11", "11"],
      locality: ["Ikeja GRA"],
      state: ["Lagos", "LA"],
      subpremise: [undefined],
      unit: ["10"]
    })
    const withoutLocality = textsOf({ ...choice, address: "12 Allen Avenue, Ikeja, Lagos" }, names, false)
    expect(withoutLocality).toMatchObject({ address: ["12 Allen Avenue"], locality: [""] })
    const ofState = textsOf({ code: "LA" as Choice["code"] }, {}, false)
    expect(ofState).toMatchObject({ address: [""], state: [undefined, "LA"], lga: [undefined, undefined, undefined] })
  })

  it("with the part of the building, before the street if it has no field of its own", () => {
    const choice = { address, code: "LA-11-B03-QD-10" as Choice["code"], subpremise: "Flat 3" }
    const names = { state: "Lagos", lga: "Ikeja" }
    expect(textsOf(choice, names, false)).toMatchObject({
      address: ["Flat 3, 12 Allen Avenue"],
      locality: ["Ikeja GRA"]
    })
    expect(textsOf(choice, names, true)).toMatchObject({ address: ["12 Allen Avenue"], subpremise: ["Flat 3"] })
  })
})

describe("a service with Retry-After", () => {
  const answers: ReadonlyArray<readonly [retryAfter: string | undefined, seconds: number]> = [
    ["7", 7],
    ["-7", 0],
    ["soon", 0],
    [undefined, 0]
  ]
  /** What the widget makes of such an answer. */
  const secondsOf = async (retryAfter: string | undefined): Promise<number> => {
    const service = await listen((_, res) => {
      res.writeHead(429, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end("{}")
    })
    const problem = await request(service.url, new AbortController().signal).catch((error: unknown) => error)
    await service.close()
    return (problem as Problem).retryAfter_s
  }

  it.for(answers)("sets the pause in seconds: %s", async ([retryAfter, seconds]) => {
    expect(await secondsOf(retryAfter)).toBe(seconds)
  })

  it("sets the pause by a date, which may be in the past", async () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    const left_s = () => (Date.parse(date) - Date.now()) / 1000
    const most_s = left_s()
    const seconds = await secondsOf(date)
    expect(seconds).toBeGreaterThanOrEqual(left_s())
    expect(seconds).toBeLessThanOrEqual(Math.ceil(most_s))
    expect(await secondsOf(new Date(Date.now() - 90_000).toUTCString())).toBe(0)
  })

  it("gets no request before that time, even if other requests fail meanwhile", async () => {
    const asked: Array<string> = []
    const { release, released } = makeHeld()
    const service = await listen(async ({ url = "" }, res) => {
      asked.push(url)
      if (url === "/first") return res.writeHead(429, { "retry-after": "30" }).end("{}")
      await released
      return res.writeHead(500).end("{}")
    })
    const search = new Search(searchTools)
    const get = (path: string) => search.get(service.url + path, new AbortController().signal)
    const second = get("/second")
    await expect.poll(() => asked).toEqual(["/second"])
    await expect(get("/first")).rejects.toMatchObject({ status: 429, retryAfter_s: 30 })
    release()
    await expect(second).rejects.toMatchObject({ status: 500 })
    await expect(get("/third")).rejects.toMatchObject({ status: 429 })
    await service.close()
    expect(asked.sort()).toEqual(["/first", "/second"])
  })
})

describe("messages", () => {
  const all = { french, hausa, igbo, yoruba }

  it.for(Object.entries(all))(
    "%s has every message, none empty, none left in English, and the same blanks",
    ([, messages]) => {
      expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
      for (const name of Object.keys(english) as Array<keyof typeof english>) {
        expect(messages[name].trim()).not.toBe("")
        expect(blanks(messages[name])).toEqual(blanks(english[name]))
        if (name !== "suggestions" && name !== "results") expect(messages[name]).not.toBe(english[name])
      }
    }
  )

  it("are found by the language without region, in any case; other languages get English", async () => {
    expect(await loadMessages("FR-ca")).toBe(french)
    expect(await loadMessages("")).toBe(first)
    expect(await loadMessages("constructor")).toBe(first)
  })

  it("exist for every listed language", async () => {
    const loaded = await Promise.all(languages.map(loadMessages))
    expect(loaded[0]).toBe(first)
    expect(new Set(loaded)).toEqual(new Set([first, ...Object.values(all)]))
    expect(languages).toHaveLength(1 + Object.keys(all).length)
  })

  it("have no words of the interface for programs", () => {
    expect(Object.values(english).join(" ")).not.toMatch(/\b(call|level|request)/i)
  })

  it("are singular for one, and plural otherwise", () => {
    expect([0, 1, 2].map((n) => fill(english.results, { n }))).toEqual([
      "0 suggestions",
      "1 suggestion",
      "2 suggestions"
    ])
    for (const { directions } of [english, ...Object.values(all)]) {
      expect(new Set(directions.split("|")).size).toBe(8)
    }
  })

  it("are filled in by name", () => {
    expect(fill("{code} is {n} m away, {else}", { code: "LA", n: 3 })).toBe("LA is 3 m away, {else}")
  })

  const blanks = (message: string) => (message.match(/\{\w+\}/g) ?? []).sort()
})

describe("in a program without a DOM", () => {
  it("can be imported and defined without an effect", () => {
    expect(definePicker()).toBeUndefined()
    expect(PostcodePicker.formAssociated).toBe(true)
    expect(() => createPicker()).toThrow(/document/)
  })
})

describe("a unit of the map", () => {
  const unit = {
    postcode: "LA-11-B03-QD-10",
    display: "LA 11 B03 QD 10",
    distance_m: 3,
    locality_name: "Ikeja",
    lga_name: "Ikeja",
    state_name: "Lagos",
    address: "12 Allen Avenue, Ikeja"
  }

  it("is named once by each place, and keeps the address as it was answered", () => {
    expect(choiceOf(unit)).toEqual({
      code: unit.postcode,
      label: "12 Allen Avenue, Ikeja, Lagos",
      address: unit.address,
      names: { state: "Lagos", lga: "Ikeja" },
      source: "discover"
    })
  })

  it("has coordinates if they were answered", () => {
    const point_geometry = { coordinates: [3.35, 6.6] } as const
    expect(choiceOf({ ...unit, point_geometry })).toMatchObject({ coordinate: { lat: 6.6, lon: 3.35 } })
  })
})

describe("a selection", () => {
  it("is the same as core's for every vector", () => {
    const cases = JSON.parse(file("../../../vectors/selection.json")) as ReadonlyArray<{
      readonly picked: Parameters<typeof makeSelection>[0]
      readonly selection: unknown
    }>
    for (const { picked, selection } of cases) expect(makeSelection(picked)).toEqual(selection)
    expect(file("../src/PostcodePicker.ts")).toContain(
      'makeSelection, type PostcodeSelection } from "@postcode/core/Selection"'
    )
  })
})

describe("the bundle", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bundle-"))
    await writeBundle(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it("has one file for the first load, without Effect, and without markup or code from texts", async () => {
    const code = await readFile(join(folder, "postcode-picker.js"), "utf8")
    expect(code).not.toMatch(/\bimport\s*["{*]|\bfrom\s*["']/)
    expect(code).not.toMatch(/effect/i)
    expect(code).not.toMatch(/innerHTML|document\.write|\beval\b|new Function/)
  })

  it("has languages and rarely needed parts in separate files without imports", async () => {
    const others = (await readdir(folder)).filter((name) => name !== "postcode-picker.js")
    const names = others.map((name) => name.replace(/-[A-Z0-9]{8}\.js$/, "")).sort()
    expect(names).toEqual([
      ...["Addresses", "Fill", "Location", "Saved", "Session", "Unlisted", "Use"],
      ...["en", "fr", "ha", "ig", "openDiscover", "yo"]
    ])
    for (const name of others) {
      const code = await readFile(join(folder, name), "utf8")
      // The map is loaded by what found the position.
      expect(code).not.toMatch(/\bimport\b(?!\()/)
    }
  })
})

describe("custom-elements.json", () => {
  interface Named {
    readonly name: string
  }
  const manifest = JSON.parse(file("../custom-elements.json")) as {
    readonly modules: ReadonlyArray<{
      readonly declarations: ReadonlyArray<Record<string, ReadonlyArray<Named> | string>>
    }>
  }
  const [declaration = {}] = manifest.modules[0]?.declarations ?? []
  const names = (kind: string) => (declaration[kind] as ReadonlyArray<Named>).map(({ name }) => name).sort()
  const found = (path: string, pattern: RegExp) => [
    ...new Set([...file(path).matchAll(pattern)].flatMap(([, name = ""]) => name.split(" ")))
  ]

  it("names the element and every attribute", () => {
    expect(declaration.tagName).toBe("postcode-picker")
    // The map reads its own attributes when it opens.
    const read = ["aria-describedby", "disabled", "discover", "map-style"]
    expect(names("attributes")).toEqual([...PostcodePicker.observedAttributes, ...read].sort())
  })

  it("names exactly the properties and methods of the class", () => {
    const members = Object.getOwnPropertyNames(PostcodePicker.prototype)
    const inner = /^constructor$|Callback$/
    expect(names("members")).toEqual(members.filter((name) => !inner.test(name)).sort())
  })

  it("names every event", () => {
    expect(names("events")).toEqual(
      ["change", "input", ...found("../src/PostcodePicker.ts", /#emit\("([\w-]+)"/g)].sort()
    )
  })

  it("names every part and every variable", () => {
    const icons = found("../src/View.ts", /icon\("(\w+)"/g)
    const made = ["View", "ListBox", "Rows", "Form", "Saved", "Unlisted"].flatMap((name) =>
      found(`../src/${name}.ts`, /part: "([\w ]+)"/g)
    )
    expect(names("cssParts")).toEqual([...new Set([...icons, ...made])].sort())
    const variables = ["styles", "Rows"].flatMap((name) => found(`../src/${name}.ts`, /var\((--pc-[\w-]+)/g))
    expect(names("cssProperties")).toEqual([...new Set(variables)].sort())
  })
})
