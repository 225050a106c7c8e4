/** The settings of mail. */
import { readSender } from "@postcode/gateway/notices/Sender"
import { readMailServer } from "@postcode/node/mail"
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"

const read = (url: string) => readMailServer(Redacted.make(url))

describe("the URL of a mail server", () => {
  it.each([
    ["smtps://mail.example", { host: "mail.example", port: 465, tls: "implicit", user: undefined }],
    ["smtp://mail.example", { host: "mail.example", port: 587, tls: "required", user: undefined }],
    ["smtp://localhost:1025?tls=off", { host: "localhost", port: 1025, tls: "off" }],
    ["smtp://u:p@127.0.0.1?tls=off", { host: "127.0.0.1", tls: "off", user: "u" }],
    ["smtps://me%40mail.example:s%2Fe%3Acret@mail.example:2465/", { port: 2465, user: "me@mail.example" }],
    ["smtps://[2001:db8::1]", { host: "2001:db8::1" }]
  ])("%s", (url, expected) => {
    expect(Result.getOrThrow(read(url))).toMatchObject(expected)
  })

  it.each([
    "",
    "mail.example",
    "http://mail.example",
    "smtp:mail.example",
    "smtp://",
    "smtp://mail.example/path",
    "smtp://mail.example#x",
    "smtp://mail.example?tls=maybe",
    "smtps://mail.example?tls=off",
    "smtp://u:secret@mail.example?tls=off",
    "smtps://u:%0d%0aQUIT@mail.example",
    "smtps://u:%zz@mail.example"
  ])("is not %j", (url) => {
    const result = read(url)
    expect(Result.isFailure(result) && result.failure).toMatch(/^expected /)
    expect(JSON.stringify(result)).not.toMatch(/secret/)
  })
})

describe("the sender", () => {
  it.each([
    ["postcode@example.ng", { name: "", address: "postcode@example.ng" }],
    ["Postcode <Post@Example.ng>", { name: "Postcode", address: "post@example.ng" }],
    ["  Ọjà & Sons, Ltd. <post@example.ng> ", { name: "Ọjà & Sons, Ltd.", address: "post@example.ng" }]
  ])("%s", (text, expected) => expect(readSender(text)).toEqual(expected))

  it.each([
    "",
    "Postcode",
    "<>",
    "a@b",
    "ẹ@example.ng",
    "a <b@example.ng",
    "x\r\nBcc: y <b@example.ng>",
    "a@example.ng, b@example.ng"
  ])("is not %j", (text) => expect(readSender(text)).toBeUndefined())
})
