/** `postcode end-users` against a service in memory. */
import { createHash } from "node:crypto"
import { truncateSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { operatorToken } from "@postcode/conformance/wire"
import { ended, start } from "@postcode/drills/StartCommand"
import { twoAccounts } from "@postcode/gateway/widget/endUsers/EndUserAccounts"
import { describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { code, crowd, useEndUsers } from "./EndUserService.ts"

const { answer, count, endUsers, env, find, folder, makeProxy, service, write } = useEndUsers()

describe("one end user", () => {
  it("is saved, shown, and removed, named by standard input, a file or the id", async () => {
    const save = ["save", "--bookmark", "la12a03bg07=Home = sweet home", "--bookmark", `${code}=Work`]
    const [saved, file] = await Promise.all([
      answer(save, "Amaka@One.example\n 48210957361 \n"),
      write("person.txt", "48210957361\n")
    ])
    const shown = {
      id: saved.id,
      identifiers: 2,
      bookmarks: [
        { postcode: code, label: "Home = sweet home" },
        { postcode: code, label: "Work" }
      ]
    }
    const [byEmail, byFile, byId] = await Promise.all([
      answer(["show"], "amaka@one.example"),
      answer(["show", "--identifiers", file]),
      endUsers(["show", saved.id])
    ])
    expect([byEmail, byFile]).toEqual([shown, shown])
    expect(byId).toEqual({
      code: 0,
      stdout: `id           ${saved.id}\nidentifiers  2\nbookmarks    2\n\nPOSTCODE         LABEL\n${code}  Home = sweet home\n${code}  Work\n`,
      stderr: ""
    })
    expect(await answer(["save", "--no-bookmarks"], "amaka@one.example")).toEqual(saved)
    expect(await find("amaka@one.example")).toEqual({ id: saved.id, identifiers: 1, bookmarks: [] })
  })

  it("a removed end user is neither found nor counted", async () => {
    const { id } = await answer(["save", "--no-bookmarks"], "gone@one.example")
    const before = await count()
    expect(await answer(["remove"], "gone@one.example")).toEqual({ id, removed_at: expect.any(String) })
    const [counted, again] = await Promise.all([answer(["count"]), endUsers(["remove", id])])
    expect(counted).toEqual({ count: before - 1 })
    expect(again).toEqual({ code: 1, stdout: "", stderr: "error: there is no end user with this id\n" })
  })

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, RegExp]> = [
    ["save with nothing said of bookmarks", ["save"], "a@b.example", /--bookmark, or remove all with --no-bookmarks/],
    ["an identifier that is none", ["show"], "a@b.example@canary", /^error: standard input, identifier 1: expected/],
    ["no identifier", ["show"], " \n", /^error: standard input holds no identifier/],
    ["two identifiers where one is enough", ["remove"], "a@b.example c@d.example", /expected one identifier, found 2/],
    ["an identifier for an id", ["show", "a@canary.example"], "", /^error: ID: expected an end user's id, usr_…;/],
    ["an identifier on the command line", ["save", "a@canary.example"], "", /never given on the command line/],
    ["an identifier for a command", ["48210957361"], "", /never given on the command line/],
    [
      "a bookmark without a label",
      ["save", "--bookmark", code],
      "",
      /^error: --bookmark: expected a postcode and a label/
    ],
    [
      "a bookmark with an empty label",
      ["save", "--bookmark", `${code}=`],
      "a@b.example",
      /^error: --bookmark: expected a label/
    ],
    ["an identifier and a comma for a command", ["a@canary.example,"], "", /never given on the command line/],
    ["an identifier for a flag", ["show", "--a@canary.example"], "", /has no flag \[not shown\]/],
    ["an identifier for an argument", ["count", "48210957361 a"], "", /never given on the command line/],
    ["an identifier for the bookmark", ["save", "--bookmark", "a@canary.example=Home"], "", /^error: --bookmark:/],
    ["a control character in an identifier", ["show"], "a\u0000b@canary.example", /identifier 1: expected/],
    ["token and identifier over one standard input", ["show", "--token-stdin"], operatorToken, /--identifiers FILE/]
  ]
  it.each(refused)("%s is wrong usage, and the message does not repeat it", async (_, args, stdin, message) => {
    const { code, stderr, stdout } = await endUsers(args, { stdin })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/canary|48210957361/)
  })
})

describe("end users from a file", () => {
  it("a file that is not UTF-8 is refused, because different identifiers could become one", async () => {
    const latin = (letter: string) => Buffer.from(`jos${letter}@latin.example`, "latin1")
    const files = [await write("acute.txt", latin("é")), await write("grave.txt", latin("è"))]
    for (const [i, file] of files.entries()) {
      const args = i === 0 ? ["save", "--no-bookmarks"] : ["show"]
      const { code, stderr } = await endUsers([...args, "--identifiers", file])
      expect(code).toBe(2)
      expect(stderr).toBe(`error: ${file} is not UTF-8: save it as UTF-8, or set the terminal to that\n`)
    }
  })

  it("an identifier in place of a file or an address is not repeated", async () => {
    for (const args of [
      ["show", "--identifiers", "a@canary.example"],
      ["show", "--identifiers=48210957361"],
      ["import", "a@canary.example"],
      ["import", "--dry-run", "48210957361"],
      ["count", "--url", "http://a@canary.example:9"],
      ["count", "--url=48210957361"]
    ]) {
      const { code, stderr, stdout } = await endUsers(args)
      expect({ stdout, failed: code !== 0 }).toEqual({ stdout: "", failed: true })
      expect(stderr).toMatch(/^error: /)
      expect(stderr).not.toMatch(/canary|48210957361/)
    }
  })
})

describe("an import", () => {
  it("saves the end users of a file, with or without gzip, and changes nothing if repeated", async () => {
    const text = `\ufeffLabel,Identifier,Postcode\r\nHome,ngozi@import.example,la12a03bg07\r\n"Ilé, ""ọkọ"" mi",ngozi@import.example 73519264080,LA 12 A03 BG 99\r\n,bola@import.example,\r\n`
    const [plain, packed] = [await write("people.csv", text), await write("people.csv.gz", gzipSync(text))]
    const before = await count()
    const summary = { outcome: "sent", end_users: 2, bookmarks: 2, bad_rows: 0, left_out: 0, saved: 2 }
    expect([await answer(["import", plain]), await answer(["import", packed])]).toEqual([summary, summary])
    expect(await count()).toBe(before + 2)
    expect(await find("73519264080")).toMatchObject({
      identifiers: 2,
      // A postcode that the directory does not know is as good as any: it may come with the next edition.
      bookmarks: [
        { postcode: code, label: "Home" },
        { postcode: "LA-12-A03-BG-99", label: 'Ilé, "ọkọ" mi' }
      ]
    })
    expect(await find("bola@import.example")).toMatchObject({ bookmarks: [] })
  })

  it("reads standard input, and refuses to read the token from it, too", async () => {
    const stdin = crowd("piped", 2)
    const both = await endUsers(["import", "-", "--token-stdin"], { stdin })
    expect(both).toMatchObject({ code: 4, stdout: "" })
    expect(both.stderr).toBe("error: standard input is empty: expected the token, as in --token-stdin < token.txt\n")
    expect(await answer(["import", "-"], stdin)).toMatchObject({ end_users: 2, saved: 2 })
    expect(await find("piped1@crowd.example")).toMatchObject({ identifiers: 1 })
  })

  it("reports every bad row with its line, and sends nothing without --skip-bad-rows", async () => {
    const rows = [
      `good1@import.example,${code},Home`,
      `good2@import.example,${code},Home`,
      `canary,${code},Home`,
      `good3@import.example,LA-12,canary`
    ]
    const file = await write("bad.csv", `identifier,postcode,label\n${rows.join("\n")}\n`)
    const before = await count()
    const badRows =
      `${file}:4: identifier: expected an 11-digit NIN or an email address\n` +
      `${file}:5: postcode: district: expected a dash, then 3 letters or digits at position 5\n`
    const refusal = `${badRows}error: ${file} was not imported: 2 bad rows\n`
    const refused = await Promise.all([endUsers(["import", file]), endUsers(["import", file, "--dry-run"])])
    for (const end of refused) expect(end).toEqual({ code: 1, stdout: "", stderr: refusal })
    expect(await count()).toBe(before)
    expect(await endUsers(["import", file, "--skip-bad-rows"])).toEqual({
      code: 0,
      stdout: "outcome    sent\nend users  1\nbookmarks  1\nbad rows   2\nleft out   1\nsaved      1\n",
      stderr: `${badRows}${file}:3: the end user is left out: a bad row is theirs, or may be\n2 bad rows left out, and with them 1 end user\n`
    })
    expect(await count()).toBe(before + 1)
  })

  it("with --skip-bad-rows leaves the end users of bad rows unchanged", async () => {
    const save = ["save", "--bookmark", `${code}=Home`, "--bookmark", `${code}=Work`]
    await answer(save, "skip1@import.example skip2@import.example")
    const before = await find("skip1@import.example")
    const rows = [`skip1@import.example,${code},Home`, `skip1@import.example,LA-12,Work`, `skip3@import.example,,`]
    const file = await write("skip.csv", `identifier,postcode,label\n${rows.join("\n")}\n`)
    const { stdout } = await endUsers(["import", file, "--skip-bad-rows", "--json"])
    const numbers = { end_users: 1, bookmarks: 0, bad_rows: 1, left_out: 1, saved: 1 }
    expect(JSON.parse(stdout)).toEqual({ outcome: "sent", ...numbers })
    expect(await find("skip1@import.example")).toEqual(before)
    expect(await find("skip2@import.example")).toEqual(before)
  })

  it("of a file with only a header fails", async () => {
    const file = await write("header.csv", "identifier,postcode,label\n,,\n,,\n")
    const { code, stderr } = await endUsers(["import", file, "--json"])
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${file}: it has a header, and no rows after it\n` })
  })

  it("of a file as a spreadsheet writes it", async () => {
    const text = "sep=;\r\nLabel;Postcode;Identifier;\r\nHome;LA-12-A03-BG-07;ada@x.example;;\r\n"
    const file = await write("spreadsheet.csv", Buffer.from(`\ufeff${text}`, "utf16le"))
    const tried = await run(["end-users", "import", file, "--dry-run", "--json"])
    expect(tried).toMatchObject({ code: 0 })
    expect(tried.stderr).toContain("read as: UTF-16, semicolon, header in line 2, 4 columns")
    expect(JSON.parse(tried.stdout)).toMatchObject({ end_users: 1, bookmarks: 1, bad_rows: 0 })
  })

  it("with --dry-run sends nothing, and needs neither service nor token", async () => {
    const file = await write("dry.csv", crowd("dry", 3))
    const tried = await run(["end-users", "import", file, "--dry-run", "--json"])
    expect(tried).toMatchObject({ code: 0, stderr: "nothing was sent\n" })
    const numbers = { end_users: 3, bookmarks: 3, bad_rows: 0, left_out: 0, saved: 0 }
    expect(JSON.parse(tried.stdout)).toEqual({ outcome: "checked", ...numbers })
  })

  it("reports the line of an end user whose identifiers belong to two accounts, saves the others, and fails", async () => {
    await answer(["import", await write("two.csv", crowd("two", 2))])
    const rows = [`three@import.example,${code},a`, `two0@crowd.example two1@crowd.example,${code},b`]
    const file = await write("both.csv", `identifier,postcode,label\n${rows.join("\n")}\n`)
    const { code: exit, stderr, stdout } = await endUsers(["import", file, "--json"])
    expect(exit).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ end_users: 2, saved: 1 })
    expect(stderr).toBe(`${file}:3: ${twoAccounts.message}\nerror: 1 of 2 end users not saved: see the lines above\n`)
    expect(await find("three@import.example")).toMatchObject({ identifiers: 1 })
  })

  it("of any other file is refused, and the message describes a valid file", async () => {
    const packed = gzipSync(crowd("cut", 50))
    const wrong: ReadonlyArray<readonly [string, number, RegExp]> = [
      ["/dev/null", 1, /^error: \/dev\/null: the first row has to name the columns/],
      [join(folder(), "none.csv"), 1, /^error: there is no file /],
      [folder(), 1, /is a folder: expected a CSV file$/],
      [await write("empty.csv", ""), 1, /the first row has to name the columns identifier, postcode, label/],
      [await write("headless.csv", `canary@import.example,${code},a\n`), 1, /the first row has to name the columns/],
      [await write("cut.csv.gz", packed.subarray(0, packed.length - 20)), 1, /no complete gzip file/]
    ]
    const ends = await Promise.all(wrong.map(([file]) => endUsers(["import", file])))
    for (const [i, { code, stderr, stdout }] of ends.entries()) {
      const [file, expected, message] = wrong[i] as (typeof wrong)[number]
      expect({ file, code, stdout }).toEqual({ file, code: expected, stdout: "" })
      expect(stderr.trimEnd()).toMatch(message)
      expect(stderr).not.toContain("canary")
    }
  })
})

describe("an import that is disturbed", () => {
  it("of a file that is truncated meanwhile saves all checked rows", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `cut${i >> 1}@import.example,${code},${i % 2}\n`)
    const text = `identifier,postcode,label\n${rows.join("")}`
    const file = await write("cut.csv", text)
    const cut = text.indexOf("cut9000@import.example") + (rows[18_000] as string).length
    const proxy = await makeProxy((count) => {
      if (count === 1) truncateSync(file, cut)
      return false
    })
    const { code: exit, stdout } = await endUsers(["import", file, "--json"], { env: { POSTCODE_URL: proxy.url } })
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, end_users: 10_000, saved: 10_000 })
    for (const person of ["cut0@import.example", "cut9000@import.example"]) {
      expect(await find(person)).toMatchObject({ bookmarks: [{ label: "0" }, { label: "1" }] })
    }
  })

  it("ends with 130 when it is interrupted while it waits for standard input", async () => {
    const waiting = start(["end-users", "import", "-"])
    waiting.stdin.write(`identifier,postcode,label\n${"nobody,,\n".repeat(8_000)}`)
    waiting.stderr.once("data", () => waiting.kill("SIGINT"))
    const { code, stdout } = await ended(waiting)
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" })
  })

  it("fails if the response lacks a result, and reports a refused end user with its line", async () => {
    const file = await write("odd.csv", crowd("odd", 3))
    const end = async (status: number, body: object) => {
      const proxy = await makeProxy((_, response) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
        return true
      })
      return await endUsers(["import", file], { env: { POSTCODE_URL: proxy.url } })
    }
    const few = await end(200, { data: { results: [{ id: "usr_1" }, { id: "usr_2" }] } })
    expect(few).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("did not return a result for each end user")
    })
    const message = "end_users[1].identifiers[0]: expected an 11-digit NIN or an email address"
    const refused = await end(400, { error: { code: "invalid_parameter", message } })
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${file}:3: identifiers[0]: expected an 11-digit NIN or an email address\n`
    })
  })
})

describe("identifiers", () => {
  it("are in no message, log or audit entry, in any encoding or as a hash without the pepper", async () => {
    const people = ["61029384756", "Canary.Obi+1@Secret.example", "canary2@secret.example"]
    const person = people.join(" ")
    const bad = "Canary3@secret.example"
    const rows = [`${person},${code},Home`, `${bad},LA-12,Home`, `${bad} oops,${code},a`, bad]
    const file = await write("canaries.csv", `identifier,postcode,label\n${rows.join("\n")}\n`)
    const outputs = [await endUsers(["import", file, "--skip-bad-rows"])]
    const more = [
      endUsers(["import", file]),
      endUsers(["show"], { stdin: people[0] as string }),
      endUsers(["show", people[1] as string]),
      endUsers(["save", ...people]),
      endUsers(["save", "--no-bookmarks"], { stdin: `${person} oops` }),
      endUsers(["save", "--no-bookmarks"], { stdin: person, env: { POSTCODE_URL: "http://127.0.0.1:9" } }),
      endUsers(["import", file, "--skip-bad-rows"], { env: { POSTCODE_OPERATOR_TOKEN: "wrong-token-wrong" } })
    ]
    outputs.push(...(await Promise.all(more)))
    outputs.push(await endUsers(["remove"], { stdin: people[2] as string }))
    outputs.push(await run(["audit", "--limit", "50", "--json"], { env: env() }))
    expect(outputs.map((output) => output.code)).toEqual([0, 1, 0, 2, 2, 2, 1, 4, 0, 0])
    expect(outputs.at(-1)?.stdout).toContain("end_user.removed")
    const said = [...outputs.map(({ stderr, stdout }) => `${stderr}${stdout}`), service().stderr()]
      .join("\n")
      .toLowerCase()
    expect(said).toContain("management.saveendusers")
    for (const raw of [...people, bad].flatMap((text) => [text, text.toLowerCase()])) {
      const bare = createHash("sha256").update(raw)
      const forms = [raw, encodeURIComponent(raw), Buffer.from(raw).toString("base64").replace(/=+$/, "")]
      for (const form of [...forms, bare.digest("hex")]) expect(said).not.toContain(form.toLowerCase())
    }
  })
})
