/** `postcode validate --address`: addresses of a file, alone and beside postcodes. */

import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { addressDirectory } from "./AddressDirectory.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFiles(folder.path, addressDirectory)
})
afterAll(() => folder[Symbol.asyncDispose]())

const validate = (stdin: string, ...args: ReadonlyArray<string>) =>
  run(["validate", "-", "--directory", folder.path, ...args], { stdin })

const addressColumns = "code,precision,confidence,action,label,message"
const noPostcodes =
  "standard input:1: no column is called postcode, so only the addresses are checked; " +
  "to check postcodes as well, name their column with --column\n"
const clinic = "LA-12-A03-BG-10,unit,high,accept,"

it("an address that contradicts the postcode in it does not agree, whatever stands in the postcode's column", async () => {
  const { code, stdout } = await validate(
    `zip,where\n100001,Morenike Clinic Alausa\n,Morenike Clinic Alausa LA-12-A03-BG-99\nN/A,"Morenike Clinic, Alausa, LA12A03BG10"\n`,
    "--address",
    "where"
  )
  const lines = stdout.split("\n")
  expect(lines[1]).toMatch(/^100001,Morenike Clinic Alausa,,,,,,LA-12-A03-BG-10,unit,high,accept,.*,$/)
  expect(lines[2]).toMatch(/,no$/)
  expect(lines[3]).toMatch(/,yes$/)
  expect(code).toBe(1)
})

it.each(["100001", "100 001", "SW1A 1AA", "23401", "0", "N/A", "unknown", "#REF!", "(null)", "\\N"])(
  "a column that is part of the address and has another code than a postcode costs no address its unit: %s",
  async (zip) => {
    const { stdout } = await validate(
      `name,city,state,zip\nMorenike Clinic,Ikeja,Lagos,${zip}\n`,
      ...["name", "city", "state", "zip"].map((column) => `--address=${column}`)
    )
    expect(stdout.split("\n")[1]).toContain(clinic)
  }
)

describe("a file of addresses", () => {
  it("gets the code, the precision, the confidence and the recommended action of each address", async () => {
    const rows = ["Morenike Clinic Alausa", "Allen Avenue Ikeja", "Dala", "zzzz"]
    const { code, stderr, stdout } = await validate(
      `id,where\n${rows.map((row) => `7,${row}\n`).join("")}`,
      "--address",
      "where"
    )
    const lines = stdout.split("\n")
    expect(lines[0]).toBe(`id,where,${addressColumns}`)
    expect(lines[1]).toBe(
      `7,Morenike Clinic Alausa,${clinic}"Morenike Clinic, Alausa, Ikeja, Lagos",one unit has this name in Alausa`
    )
    expect(lines[2]).toMatch(/^7,Allen Avenue Ikeja,LA-12-A03-BG,area,(high|medium),confirm,"Alausa, Ikeja, Lagos",\S/)
    expect(lines[3]).toMatch(/^7,Dala,KN-03,lga,high,ask,"Dala, Kano",\S/)
    expect(lines[4]).toMatch(/^7,zzzz,,,low,ask,,\S/)
    expect(lines.slice(5)).toEqual([""])
    expect(code).toBe(1)
    expect(stderr).toBe(
      `${noPostcodes}standard input: 4 rows: 1 accept, 1 confirm, 2 ask, 0 malformed\n` +
        "error: 3 of 4 rows need to be looked at\n"
    )
  })

  it("may have a long one, with the way to it", async () => {
    const way = "From the bridge take the road to the left, pass the filling station and the big church, a black gate "
    const text = `Morenike Clinic, Alausa, Ikeja. ${way.repeat(2)}`
    const { stdout } = await validate(`id,where\n1,"${text}"\n`, "--address", "where")
    expect(stdout.split("\n")[1]).toMatch(/,confirm,.*did you mean Morenike Clinic, Alausa/)
  })

  it("gets no formula of the directory, and keeps its own cells as they were", async () => {
    await using hostile = await temporaryFolder()
    const units = addressDirectory["units.csv"].replace("Morenike Clinic", "=Morenike Clinic")
    await writeFiles(hostile.path, { ...addressDirectory, "units.csv": units })
    const stdin = "note,where\n=1+1,Morenike Clinic Alausa\n"
    const { stdout } = await run(["validate", "-", "--directory", hostile.path, "--address", "where"], { stdin })
    expect(stdout.split("\n")[1]).toContain(
      `=1+1,Morenike Clinic Alausa,${clinic}"'=Morenike Clinic, Alausa, Ikeja, Lagos",`
    )
  })

  it("may have addresses in several columns, which are joined in the order of the flags", async () => {
    const { code, stdout } = await validate(
      "town,name\nAlausa,Morenike Clinic\n",
      "--address",
      "name",
      "--address",
      "town"
    )
    expect(code).toBe(0)
    expect(stdout).toContain(`\nAlausa,Morenike Clinic,${clinic}`)
    const json = await validate(
      "town,name\n , Morenike Clinic \n",
      "--address=2",
      "--address=1",
      "--json",
      "--no-header"
    )
    expect(JSON.parse(json.stdout).results.map(({ address }: { address: { text: string } }) => address.text)).toEqual([
      "name, town",
      "Morenike Clinic"
    ])
  })

  it("may have non-ASCII texts, rows with too few or too many fields, and columns with the names of added ones", async () => {
    const { stderr, stdout } = await validate(
      "id,adres,Code\n1,Mọrẹnikẹ Clinic Alausa,x\n2\n3,a,b,c\n",
      "--address",
      "adres"
    )
    const lines = stdout.split("\n")
    expect(lines[0]).toBe("id,adres,Code,code_2,precision,confidence,action,label,message")
    expect(lines[1]).toContain(`1,Mọrẹnikẹ Clinic Alausa,x,${clinic}`)
    expect(lines[2]).toMatch(/^2,,,,,low,ask,,\S/)
    expect(lines[3]).toMatch(/^"3,a,b,c",,,,,,ask,,the row has 4 fields where 3 are expected/)
    expect(stderr).toContain("standard input: 3 rows: 1 accept, 0 confirm, 1 ask, 1 malformed\n")
    expect(stderr).toContain("standard input:1: there is a column code already: the added one is called code_2\n")
  })
})

describe("a file of postcodes and addresses", () => {
  const cases: ReadonlyArray<readonly [row: string, status: string, agrees: string]> = [
    ["LA12A03BG10,Morenike Clinic Alausa", "valid", "yes"],
    ["LA12A03BG07,Morenike Clinic Alausa", "valid", "no"],
    ["LA12A03BG07,Allen Avenue Ikeja", "valid", "yes"],
    ["KN03B02AA01,Ikeja", "valid", "no"],
    ["LA12A03BG07,zzzz", "valid", ""],
    ["LA12A03BG09,Allen Avenue Ikeja", "retired", "yes"],
    ["LA12A03BG1O,Morenike Clinic Alausa", "malformed", ""],
    [",Morenike Clinic Alausa", "", ""]
  ]
  const file = `postcode,address\n${cases.map(([row]) => `${row}\n`).join("")}`

  it("reports for each row whether both agree, and finds a missing postcode by the address", async () => {
    const { code, stderr, stdout } = await validate(file, "--address", "address")
    const [header, ...lines] = stdout.trimEnd().split("\n")
    expect(header).toBe(
      `postcode,address,status,canonical_postcode,reason,candidates,replaced_by,${addressColumns},agrees`
    )
    const shown = lines.map((line, at) => [cases[at]?.[0], line.split(",")[2], line.slice(line.lastIndexOf(",") + 1)])
    expect(shown).toEqual(cases)
    expect(code).toBe(1)
    expect(stderr).toBe(
      "standard input: 8 rows: 5 valid, 1 retired, 0 not_found, 1 malformed, 4 accept, 2 confirm, 2 ask, 2 disagree\n" +
        "error: 4 of 8 rows need to be looked at\n"
    )
  })

  it("omits rows that need no check, and counts all rows for programs", async () => {
    const { stdout } = await validate(file, "--address", "address", "--only-bad", "--json")
    const { results, summary } = JSON.parse(stdout)
    expect(results.map(({ line }: { line: number }) => line)).toEqual([3, 5, 7, 8])
    expect(results[0]).toMatchObject({
      code: "LA12A03BG07",
      status: "valid",
      address: { text: "Morenike Clinic Alausa", code: "LA-12-A03-BG-10", precision: "unit", agrees: false }
    })
    expect(summary).toEqual({
      valid: 5,
      retired: 1,
      not_found: 0,
      malformed: 1,
      accept: 4,
      confirm: 2,
      ask: 2,
      disagree: 2
    })
  })

  it("takes the column of postcodes by name; one called code is of something else", async () => {
    const { stdout } = await validate("code,address\nLA12A03BG07,Dala\n", "--address", "address", "--only-bad")
    expect(stdout.split("\n")[0]).toBe("code,address,code_2,precision,confidence,action,label,message")
    const named = await validate("code,address\nLA12A03BG07,Dala\n", "--address", "address", "--column", "code")
    expect(named.stdout).toMatch(/,no\n$/)
  })
})
