/** `postcode enrich`: what it writes, what it charges, and how it goes on. */
import { readFile, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { operatorToken } from "@postcode/conformance/wire"
import { csvRows } from "@postcode/drills/CsvRows"
import { type Fault, startFlakyProxy } from "@postcode/drills/FlakyProxy"
import { makeCustomer } from "@postcode/drills/Installation"
import { manage } from "@postcode/drills/Management"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { writeWorkbook } from "@postcode/server/workbook/writeWorkbook"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { enrichDirectory, hostile, levelTwo, postcodeOf, retired } from "./EnrichDirectory.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let service: Service
beforeAll(async () => {
  folder = await temporaryFolder()
  const directory = join(folder.path, "directory")
  await writeFiles(directory, enrichDirectory)
  service = await startService(["--directory", directory], { POSTCODE_OPERATOR_TOKEN: operatorToken })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

let files = 0
/** Writes a file of its own and answers its path. */
const fileOf = async (content: string | Uint8Array, ending = ".csv"): Promise<string> => {
  const name = `${++files}${ending}`
  await writeFiles(folder.path, { [name]: content })
  return join(folder.path, name)
}

const outputOf = (file: string): string => file.replace(/\.csv(\.gz)?$/, ".enriched.csv")
const progressOf = (file: string): string => `${outputOf(file)}.progress`
const written = (file: string): Promise<string> => readFile(outputOf(file), "utf8")

/** A customer with credits, and the command with its key. */
const makeShell = async (credits: number, told: object = {}) => {
  const { id, secret } = await makeCustomer(service, credits, told)
  const account = `/organizations/${id}/credits?environment=live`
  return {
    enrich: (file: string, args: ReadonlyArray<string> = ["--level", "2"], url = service.url) =>
      run(["enrich", file, ...args], { env: { POSTCODE_URL: url, POSTCODE_KEY: secret } }),
    balance: async () => (await manage<{ readonly balance: number }>(service.url, "GET", account)).balance,
    grant: (amount: number) =>
      manage(service.url, "POST", `/organizations/${id}/credits`, { amount, environment: "live", reference: "more" })
  }
}

const rowsOf = (count: number): string =>
  `id,postcode\n${Array.from({ length: count }, (_, number) => `${number},${postcodeOf(number)}\n`).join("")}`
const header = "id,postcode,status,canonical_postcode,reason,replaced_by"
const levelTwoColumns = "state_name,lga_name,locality_name,zone,recent_address"
const enrichedRows = (count: number): string =>
  `${header},${levelTwoColumns}\n${Array.from({ length: count }, (_, number) => `${number},${postcodeOf(number)},${levelTwo(number)}\n`).join("")}`

describe("each row is returned unchanged, followed by the columns from the service", () => {
  const added = [
    {},
    {
      state_name: "Lagos",
      lga_name: "Ikeja",
      locality_name: "Alausa",
      zone: "South West",
      recent_address: "0 Bank Road, Alausa"
    },
    { building_use_status: "residential" },
    { building_type: "duplex", building_owner: "private", delivery_point: "true" },
    { lat: "6.6", lon: "-3.35" }
  ]

  it.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3]
  ])("at level %i", async (level, price) => {
    const { balance, enrich } = await makeShell(10)
    const file = await fileOf("postcode\nla 12 a03 ba 01\n")
    const { code, stderr } = await enrich(file, ["--level", String(level)])
    expect(code).toBe(0)
    // A slow machine reports progress.
    const estimate = `${file}: it costs at most ${price === 1 ? "1 credit" : `${price} credits`}, 1 at ${price} each\n`
    expect(stderr.replace(/^enriching .*\n/gm, "")).toBe(price === 0 ? "" : estimate)
    const [row = {}] = csvRows(await written(file))
    const first = {
      postcode: "la 12 a03 ba 01",
      status: "valid",
      canonical_postcode: "LA-12-A03-BA-01",
      reason: "",
      replaced_by: ""
    }
    const known = Object.entries(row).filter(([, field]) => field !== "" && field !== undefined)
    expect(Object.keys(row).slice(0, 5)).toEqual(Object.keys(first))
    expect({ ...first, ...Object.fromEntries(known) }).toEqual(Object.assign(first, ...added.slice(0, level)))
    expect(await balance()).toBe(10 - price)
  })

  it("byte for byte, also rows that are invalid, malformed, blank or not UTF-8", async () => {
    const { balance, enrich } = await makeShell(10)
    const bytes = (text: string) => Buffer.from(text, "latin1")
    const long = "x".repeat(101)
    const file = await fileOf(
      Buffer.concat([
        Buffer.from('\ufeff"id",zip,status\r\n'),
        Buffer.from(`"a,""b""",${postcodeOf(1)},s\r\n\r\n1\n2,,\n3,${retired},\n4,LA-12-A03-BA-O1,\n5,${long},\n`),
        bytes(`Id\xe9,${postcodeOf(2)},\n`),
        Buffer.from(`6,"x"y,\n7,1,2,3\n8,${postcodeOf(3)},end`)
      ])
    )
    const { code, stderr, stdout } = await enrich(file, ["--level", "1"])
    expect(code).toBe(0)
    expect(stderr).toContain(`${file}: there is a column status already: the added one is called status_2\n`)
    expect((await readFile(outputOf(file))).toString("latin1")).toBe(
      Buffer.concat([
        Buffer.from('\ufeff"id",zip,status,status_2,canonical_postcode,reason,replaced_by\r\n'),
        Buffer.from(`"a,""b""",${postcodeOf(1)},s,valid,${postcodeOf(1)},,\r\n\r\n`),
        Buffer.from("1,,,malformed,,zip: there is no postcode,\n2,,,malformed,,zip: there is no postcode,\n"),
        Buffer.from(`3,${retired},,retired,${retired},,${postcodeOf(5)}\n`),
        Buffer.from(
          "4,LA-12-A03-BA-O1,,malformed,,unit: expected 2 digits at position 13; did you mean LA-12-A03-BA-01?,\n"
        ),
        Buffer.from(`5,${long},,malformed,,zip: expected at most 100 characters,\n`),
        bytes(`Id\xe9,${postcodeOf(2)},,valid,${postcodeOf(2)},,\n`),
        Buffer.from(
          '"6,""x""y,",,,malformed,,a quote that closes a field is followed by neither a delimiter nor the end of the line,\n'
        ),
        Buffer.from(
          '"7,1,2,3",,,malformed,,the row has 4 fields where 3 are expected: perhaps one contains the delimiter and is not in quotes,\n'
        ),
        Buffer.from(`8,${postcodeOf(3)},end,valid,${postcodeOf(3)},,\n`)
      ]).toString("latin1")
    )
    expect(stdout).toContain(
      "rows             10\nvalid            3\nretired          1\nnot found        0\nmalformed        6\n"
    )
    expect(await balance()).toBe(10)
  })

  it("with totals and a footer, which are copied and cost nothing", async () => {
    const { balance, enrich } = await makeShell(10)
    const footer = 'Total,1\n\n"Generated by Ada, 29/11/2026"\n'
    const file = await fileOf(`zip,parcels\n${postcodeOf(1)},1\n${footer}`)
    const { code, stderr, stdout } = await enrich(file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("lines 3, 5 are no rows but totals") })
    expect(stdout).toContain("rows             1\nvalid            1\n")
    expect(await written(file)).toMatch(new RegExp(`,1,valid,.*\n${footer}$`))
    expect(await balance()).toBe(9)
  })

  it("with semicolons, which --delimiter may name", async () => {
    const { enrich } = await makeShell(10)
    const file = await fileOf(`id;zip\n"1;a";${postcodeOf(1)}\n`)
    expect(await enrich(file, ["--level", "1"])).toMatchObject({ code: 0 })
    const added = "status;canonical_postcode;reason;replaced_by"
    expect(await written(file)).toBe(`id;zip;${added}\n"1;a";${postcodeOf(1)};valid;${postcodeOf(1)};;\n`)
  })

  it("with gzip, without a header, into another file, with a report as JSON", async () => {
    const { enrich } = await makeShell(10)
    const file = await fileOf(gzipSync(`7,${postcodeOf(7)}\n`), ".csv.gz")
    const output = join(folder.path, "other.csv")
    const args = ["--level", "2", "--no-header", "--column", "2", "-o", output, "--json"]
    const { code, stdout } = await enrich(file, args)
    expect(code).toBe(0)
    expect(await readFile(output, "utf8")).toBe(`7,${postcodeOf(7)},${levelTwo(7)}\n`)
    expect(JSON.parse(stdout)).toEqual({
      output,
      lines: 1,
      rows: 1,
      counts: { valid: 1 },
      credits_charged: 1,
      credits_uncertain: 0,
      credits_remaining: 9,
      complete: true
    })
  })

  it("without formulas of the directory: numbers stay numbers, and the cells of the file stay as they were", async () => {
    const { enrich } = await makeShell(10)
    const rows = await fileOf(`note,postcode\n=1+1,${hostile}\n`)
    expect(await enrich(rows, ["--level", "5"])).toMatchObject({ code: 0 })
    const [locality, address] = [`"'=HYPERLINK(""http://evil.example"")"`, "'＋cmd|' /C calc'!A0"]
    const [, row] = (await written(rows)).split("\n")
    expect(row).toMatch(/^=1\+1,/)
    expect(row).toContain(`,${hostile},,,Lagos,Ikeja,${locality},South West,${address},residential,`)
    expect(row).toMatch(/,6\.8,-3\.35$/)
    const points = await fileOf("x,y\n6.8,-3.35\n")
    expect(await enrich(points, ["--lat", "x", "--lng", "y"])).toMatchObject({ code: 0 })
    expect(await written(points)).toContain(`\n6.8,-3.35,found,${hostile},0,high,Lagos,Ikeja,${locality},${address},\n`)
  })

  it("with a warning if the organization is granted a lower level", async () => {
    const { id, secret } = await makeCustomer(service, 10)
    await manage(service.url, "PATCH", `/organizations/${id}`, { granted_level: 2 })
    const file = await fileOf(rowsOf(2))
    const env = { POSTCODE_URL: service.url, POSTCODE_KEY: secret }
    const { code, stderr } = await run(["enrich", file, "--level", "3"], { env })
    expect(code).toBe(0)
    expect(stderr).toBe(
      `${file}: it costs at most 4 credits, 2 at 2 each\nthe organization is granted level 2: the rows have no more than that\n`
    )
    expect(await written(file)).toMatch(new RegExp(`^0,${postcodeOf(0)},${levelTwo(0)},+$`, "m"))
  })
})

describe("rows with addresses or coordinates", () => {
  it("get the postcode of their address, are charged as address searches, and can be resumed", async () => {
    const { balance, enrich, grant } = await makeShell(110)
    const rows = Array.from(
      { length: 110 },
      (_, number) => [`${number}`, `${number} Bank Road`, "Alausa, Ikeja"] as const
    )
    const long = "x".repeat(501)
    const content = rows.map(([id, street, town]) => `${id},${street},"${town}"\n`).join("")
    const file = await fileOf(`id,street,town\n${content}a,,\nb,${long},\nc,,Ikeja\n`)
    const args = ["--address", "street", "--address", "town"]
    const { code } = await enrich(file, args)
    expect(code).toBe(0)
    const added = "code,precision,confidence,action,label,message"
    const [header, ...lines] = (await written(file)).trimEnd().split("\n")
    expect(header).toBe(`id,street,town,${added}`)
    for (const [number, [id, street, town]] of rows.entries()) {
      expect(lines[number]).toContain(
        `${id},${street},"${town}",${postcodeOf(number)},unit,high,accept,"${number} Bank Road`
      )
    }
    expect(lines.slice(110)).toEqual([
      'a,,,,,,ask,,"there is no address in street, town"',
      `b,${long},,,,,ask,,"street, town: expected at most 500 characters, found ${long.length}"`,
      expect.stringMatching(/^c,,Ikeja,LA-12,lga,/)
    ])
    expect(await balance()).toBe(0)
    for (const path of [outputOf(file), progressOf(file)]) await rm(path)
    expect(await enrich(file, args)).toMatchObject({ code: 0 })
    await grant(1)
    expect(await balance()).toBe(1)
  })

  it("stop before --limit-credits is passed, and continue with a higher limit", async () => {
    const { balance, enrich } = await makeShell(200)
    const rows = Array.from({ length: 150 }, (_, number) => `${postcodeOf(number)}\n`)
    const file = await fileOf(`zip\n${rows.join("")}`)
    const stopped = await enrich(file, ["--level", "2", "--limit-credits", "120"])
    expect(stopped.code).toBe(5)
    expect(stopped.stderr).toContain(
      "--limit-credits 120: 100 are charged, and the next rows may cost 50; 100 rows are in"
    )
    expect(await balance()).toBe(100)
    expect(await enrich(file, ["--level", "2", "--limit-credits", "150"])).toMatchObject({ code: 0 })
    expect(await balance()).toBe(50)
  })

  it("cost what the service charges, and not what the command knows", async () => {
    const directory = join(folder.path, "directory")
    const env = { POSTCODE_OPERATOR_TOKEN: operatorToken }
    await using dear = await startService(["--directory", directory, "--prices", "2=5,3=5,4=5,5=5"], env)
    const { secret } = await makeCustomer(dear, 1_000)
    // Items that repeat in a batch are charged once.
    const rows = Array.from({ length: 150 }, (_, number) => `${postcodeOf(number - (number % 2))}\n`)
    const file = await fileOf(`zip\n${rows.join("")}x\n\n`)
    const args = ["enrich", file, "--level", "2", "--limit-credits"]
    const setting = { env: { POSTCODE_URL: dear.url, POSTCODE_KEY: secret } }
    const stopped = await run([...args, "379"], setting)
    expect(stopped.code).toBe(5)
    expect(stopped.stderr).toContain(`${file}: it costs at most 380 credits, 76 at 5 each\n`)
    expect(stopped.stderr).toContain("--limit-credits 379: 250 are charged, and the next rows may cost 130")
    const ended = await run([...args, "380"], setting)
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("credits charged  375\n") })
  })

  it("get the unit nearest to their coordinate for free", async () => {
    const { balance, enrich } = await makeShell(1)
    const file = await fileOf('x,y\n6.6,-3.35\n6.6005,-3.3505\n0,0\n1,1\n91,0\nhere,0\nNULL,\n"6,6",-3.35°\n')
    const { code, stdout } = await enrich(file, ["--lat", "x", "--lng", "y", "--max-distance-m", "100"])
    expect(code).toBe(0)
    const names = 'Lagos,Ikeja,Alausa,"0 Bank Road, Alausa"'
    expect((await written(file)).split("\n")).toEqual([
      "x,y,status,postcode,distance_m,confidence,state_name,lga_name,locality_name,address,reason",
      `6.6,-3.35,found,${postcodeOf(0)},0,high,${names},`,
      expect.stringContaining(`6.6005,-3.3505,found,${postcodeOf(5)},`),
      "0,0,malformed,,,,,,,,latitude 0 and longitude 0 are in the open sea: there is no location",
      "1,1,not_found,,,,,,,,no active unit lies within 100 m",
      '91,0,malformed,,,,,,,,"x: expected a latitude in degrees, from -90 to 90"',
      'here,0,malformed,,,,,,,,"x: expected a latitude in degrees, from -90 to 90"',
      "NULL,,malformed,,,,,,,,there is no coordinate: x and y: no value",
      expect.stringContaining(`"6,6",-3.35°,found,${postcodeOf(0)},`),
      ""
    ])
    expect(stdout).toContain("rows             8\nfound            3\nnot found        1\nmalformed        4\n")
    expect(await balance()).toBe(1)
  })

  it("are refused with the limit of the key, if it allows fewer requests a minute than a batch has rows", async () => {
    const { enrich } = await makeShell(1, { rate_limit_per_minute: 10 })
    const file = await fileOf(`x,y\n${"1,1\n".repeat(11)}`)
    const { code, stderr } = await enrich(file, ["--lat", "x", "--lng", "y"])
    expect(code).toBe(2)
    expect(stderr).toContain(
      "points: each of them counts as one request, and 10 requests a minute are allowed: send at most 10"
    )
  })
})

describe("each row is charged once and written once", () => {
  const count = 350
  const whole = enrichedRows(count)

  it("a second run sends no request", async () => {
    const { balance, enrich } = await makeShell(count)
    const file = await fileOf(rowsOf(count))
    const first = await enrich(file)
    const again = await enrich(file, undefined, "http://127.0.0.1:1")
    expect(again).toEqual({ ...first, stderr: `${outputOf(file)} is complete: nothing was asked for\n` })
    expect(await written(file)).toBe(whole)
    expect(await balance()).toBe(0)
  })

  it("a second run without the output sends the same Idempotency-Keys, and is not charged again", async () => {
    const { balance, enrich } = await makeShell(count)
    const file = await fileOf(rowsOf(count))
    await enrich(file)
    for (const path of [outputOf(file), progressOf(file)]) await rm(path)
    const { code, stdout } = await enrich(file)
    expect({ code, output: await written(file), balance: await balance() }).toEqual({
      code: 0,
      output: whole,
      balance: 0
    })
    expect(stdout).toContain("credits charged  0\n")
  })

  /** What a crash may leave, made of a complete output and its progress file. */
  const crashes: ReadonlyArray<readonly [string, (output: string, progress: string) => Promise<void>]> = [
    [
      "before anything of the progress file was written",
      async (output, progress) => {
        await rm(output)
        await writeFile(progress, "")
      }
    ],
    [
      "within the first line of the progress file",
      async (output, progress) => {
        await rm(output)
        await truncate(progress, 30)
      }
    ],
    [
      "before the output was made",
      async (output, progress) => {
        await rm(output)
        await keepLines(progress, 1)
      }
    ],
    ["before the header was confirmed", (_, progress) => keepLines(progress, 1)],
    ["after the header", (_, progress) => keepLines(progress, 2)],
    [
      "after the second batch, with a part of the third written",
      async (output, progress) => {
        await keepLines(progress, 4)
        await truncate(output, Buffer.byteLength(enrichedRows(230)) - 5)
      }
    ],
    ["with a batch written that is not confirmed", (_, progress) => keepLines(progress, 4)],
    [
      "within a line of the progress file",
      async (_, progress) => {
        await keepLines(progress, 4)
        await writeFile(progress, `${await readFile(progress, "utf8")}{"lines":300,"byt`)
      }
    ],
    [
      "with bytes of a lost block at the end of both",
      async (output, progress) => {
        await keepLines(progress, 3)
        for (const path of [output, progress]) await writeFile(path, `${await readFile(path, "utf8")}\0\0\0\0\n\0\0`)
      }
    ],
    ["before the end was confirmed", (_, progress) => keepLines(progress, 6)]
  ]
  it.each(crashes)("after a crash %s", async (_, crash) => {
    const { balance, enrich } = await makeShell(count)
    const file = await fileOf(rowsOf(count))
    await enrich(file)
    await crash(outputOf(file), progressOf(file))
    const { code } = await enrich(file)
    expect({ code, output: await written(file), balance: await balance() }).toEqual({
      code: 0,
      output: whole,
      balance: 0
    })
  })

  it("the report has what may be charged for requests whose first response was lost, also by a killed run", async () => {
    const { balance, enrich } = await makeShell(count)
    const file = await fileOf(rowsOf(count))
    await using proxy = await startFlakyProxy(service.url, (number) => (number === 3 ? "lost" : undefined))
    const lost = JSON.parse((await enrich(file, ["--level", "2", "--json"], proxy.url)).stdout)
    expect(lost).toMatchObject({ credits_charged: 250, credits_uncertain: 100 })
    expect(await balance()).toBe(count - lost.credits_charged - lost.credits_uncertain)
    // The second batch was answered and not confirmed.
    await keepLines(progressOf(file), 3)
    const resumed = await enrich(file)
    expect(resumed.stdout).toMatch(/^credits charged +100$/m)
    expect(resumed.stdout).toMatch(/^perhaps charged +100$/m)
  })

  it("if requests are refused and answers are lost, and retries wait for Retry-After", async () => {
    const { balance, enrich } = await makeShell(count)
    const file = await fileOf(rowsOf(count))
    // The first request asks for the prices.
    const faults: ReadonlyArray<Fault> = [undefined, "lost", { status: 503 }, undefined, { status: 429 }, "lost"]
    await using proxy = await startFlakyProxy(service.url, (number) => faults[number - 1])
    const { code, stderr } = await enrich(file, undefined, proxy.url)
    expect({ code, output: await written(file), balance: await balance() }).toEqual({
      code: 0,
      output: whole,
      balance: 0
    })
    expect(stderr).toContain("waiting: the service cannot be reached\n")
    expect(stderr).toContain("waiting: the service takes no more requests for now\n")
    expect(proxy.requests()).toBe(1 + 4 + 4)
  })

  it("with too few credits the command exits with 5 without a retry, and continues after a grant", async () => {
    const { balance, enrich, grant } = await makeShell(250)
    const file = await fileOf(rowsOf(count))
    await using proxy = await startFlakyProxy(service.url, () => undefined)
    const { code, stderr } = await enrich(file, undefined, proxy.url)
    expect(code).toBe(5)
    expect(stderr).toContain("costs 100 credits and the balance is 50")
    expect(stderr).toContain(`200 rows are in ${outputOf(file)}; the same command continues after them\n`)
    expect(proxy.requests()).toBe(1 + 3)
    expect(await written(file)).toBe(enrichedRows(200))
    await grant(100)
    const resumed = await enrich(file)
    expect(resumed.stderr).toBe(
      `continuing after 200 rows of ${outputOf(file)}\n${file}: the rest costs at most 150 credits, 150 at 1 each\n`
    )
    expect({ code: resumed.code, output: await written(file) }).toEqual({ code: 0, output: whole })
    expect(resumed.stdout).toContain("rows             350\nvalid            350\n")
    expect(resumed.stdout).toContain("credits charged  350\n")
    expect(await balance()).toBe(0)
  })

  it("an interrupted command exits with 130, and continues when it is run again", async () => {
    const { id, secret } = await makeCustomer(service, count)
    const file = await fileOf(rowsOf(count))
    let reached = () => {}
    const third = new Promise<void>((resolve) => {
      reached = resolve
    })
    // The request of the third batch, after that of the prices, is never answered.
    await using proxy = await startFlakyProxy(service.url, (number) => {
      if (number < 4) return undefined
      reached()
      return new Promise(() => {})
    })
    const env = { POSTCODE_URL: proxy.url, POSTCODE_KEY: secret }
    const { code, stderr } = await run(["enrich", file, "--level", "2"], { env, during: () => third })
    expect(code).toBe(130)
    expect(stderr).toContain(`interrupted; 200 rows are in ${outputOf(file)}; the same command continues after them\n`)
    expect(await run(["enrich", file, "--level", "2"], { env: { ...env, POSTCODE_URL: service.url } })).toMatchObject({
      code: 0
    })
    expect(await written(file)).toBe(whole)
    const account = `/organizations/${id}/credits?environment=live`
    expect(await manage(service.url, "GET", account)).toMatchObject({ balance: 0 })
  })
})

describe("enrich refuses", () => {
  const begun = async () => {
    const shell = await makeShell(100)
    const file = await fileOf(rowsOf(150))
    expect(await shell.enrich(file)).toMatchObject({ code: 5 })
    return { ...shell, file, output: outputOf(file) }
  }

  it("an input that has changed since", async () => {
    const { enrich, file, output } = await begun()
    await writeFile(file, rowsOf(151))
    const { code, stderr } = await enrich(file)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${file} has changed since ${output} was begun: restore it, or remove ${output} and ${output}.progress to start again\n`
    })
    expect(await written(file)).toBe(enrichedRows(100))
  })

  it("options that differ from those of the existing output", async () => {
    const { enrich, file } = await begun()
    const { code, stderr } = await enrich(file, ["--level", "3", "--column", "postcode"])
    expect(code).toBe(1)
    expect(stderr).toContain("was begun with other options (level 2, column not given): repeat them, or remove")
  })

  it("an output that is missing, or shorter than its confirmed part", async () => {
    const { enrich, file, output } = await begun()
    await truncate(output, 100)
    const shorter = `error: ${output} is shorter than its progress file records, or missing: restore it, or remove ${output}.progress to start again\n`
    expect(await enrich(file)).toMatchObject({ code: 1, stderr: shorter })
    await rm(output)
    expect(await enrich(file)).toMatchObject({ code: 1, stderr: shorter })
  })

  it("an output file that already exists, or the progress file of another run", async () => {
    const { enrich } = await makeShell(1)
    const file = await fileOf(rowsOf(1))
    await writeFile(outputOf(file), "mine")
    const taken = await enrich(file)
    expect(taken).toMatchObject({ code: 1 })
    expect(taken.stderr).toContain("exists, and has no progress file to resume from: choose another --output")
    await writeFile(progressOf(file), "also mine\n")
    const other = await enrich(file)
    expect(other.stderr).toContain("is no progress file of this command: choose another --output")
    expect([await written(file), await readFile(progressOf(file), "utf8")]).toEqual(["mine", "also mine\n"])
  })

  it.each([
    ["standard input", ["-", "--level", "2"], 2, "expected a file, not standard input"],
    ["nothing to add", ["x.csv"], 2, "choose one: --level"],
    ["a level and an address", ["x.csv", "--level", "1", "--address", "a"], 2, "choose one: --level"],
    ["a latitude alone", ["x.csv", "--lat", "lat"], 2, "choose one: --level"],
    ["level 6", ["x.csv", "--level", "6"], 2, "--level: expected a level from 1 to 5"],
    ["no file", ["/none.csv", "--level", "1"], 1, "there is no file /none.csv"],
    ["no key above level 1", ["x.csv", "--level", "2"], 4, "this needs an API key: postcode login --url"],
    ["no key for addresses", ["x.csv", "--address", "a"], 4, "this needs an API key: postcode login --url"]
  ] as const)("%s", async (_, args, code, message) => {
    const ended = await run(["enrich", ...args], { env: { POSTCODE_URL: service.url } })
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(message)
  })

  it.each([
    ["a file without a known column", "id,name\n1,Ada\n", 2, "no column is called postcode"],
    ["a header that holds a postcode", `${postcodeOf(1)}\n`, 2, "a file without a header takes --no-header"],
    ["an empty file", "", 1, "there is nothing in it: expected a header"]
  ])("%s, and it can be named rightly then", async (_, content, code, message) => {
    const { enrich } = await makeShell(1)
    const ended = await enrich(await fileOf(content), ["--level", "1"])
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout).toBe("")
  })

  it("a key without the scope", async () => {
    const { enrich } = await makeShell(1, { scopes: ["search"] })
    const ended = await enrich(await fileOf(rowsOf(1)))
    expect(ended).toMatchObject({ code: 4 })
    expect(ended.stderr).toContain("this key lacks the scope `lookup`; 0 rows are in")
  })
})

const keepLines = async (path: string, count: number): Promise<void> => {
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, count)
  await writeFile(path, `${lines.join("\n")}\n`)
}

it("a workbook becomes a workbook, beside the CSV file that is continued", async () => {
  const { balance, enrich } = await makeShell(1_000)
  const rows = async function* () {
    yield ["id", "postcode"]
    for (let number = 0; number < 3; number++) yield [number, postcodeOf(number)]
  }
  const file = join(folder.path, "customers.xlsx")
  await writeWorkbook(rows(), file, new AbortController().signal)
  const first = await enrich(file)
  const output = join(folder.path, "customers.enriched.xlsx")
  expect(first.stdout).toContain(`output           ${output}\n`)
  const charged = await balance()
  const sheet = async () => (await run(["validate", output, "--json-lines"])).stdout.split("\n").slice(0, -1)
  const before = await sheet()
  expect(before.map((line) => JSON.parse(line).fields.slice(0, 2))).toEqual(
    [0, 1, 2].map((n) => [`${n}`, postcodeOf(n)])
  )
  await rm(output)
  expect(await enrich(file)).toMatchObject({ code: 0, stderr: expect.stringContaining("is complete") })
  expect(await sheet()).toEqual(before)
  expect(await balance()).toBe(charged)
})
