/** What mail says. */
import { assert, describe, it } from "@effect/vitest"
import { composeMail, escapeHtml } from "@postcode/gateway/notices/composeMail"
import { maxMentioned, mentionable } from "@postcode/gateway/notices/mentionable"
import { type NoticeFacts, type NoticeKind, noticeKindNames, rulesOf } from "@postcode/gateway/notices/Notice"

const of = { organization_id: "org_1" }
const key = { ...of, environment: "live", key_id: "key_1" } as const

const facts: NoticeFacts = {
  confirm_address: {},
  already_has_account: {},
  invitation: { ...of, role: "developer" },
  reset_password: {},
  confirm_new_address: {},
  address_changed: {},
  password_changed: { how: "reset" },
  passkey_changed: { change: "added" },
  signed_out_everywhere: {},
  verification_decided: { ...of, kyb_status: "rejected" },
  access_decided: { ...of, level: 4, status: "approved" },
  balance_low: { ...of, environment: "live", balance: 1_234, threshold: 5_000 },
  balance_used_up: { ...of, environment: "test", balance: 0 },
  daily_limit_reached: { ...key, daily_credit_limit: 1_000 },
  key_expires: { ...key, expires_at: "2026-02-07T12:00:00.000Z" },
  webhook_disabled: { ...of, webhook_id: "whk_1" },
  review_waiting: {},
  organization_will_close: { ...of, closes_at: "2026-02-14T12:00:00.000Z" }
}

const mailOf = (
  kind: NoticeKind,
  organization_name = "Dangote Parcels",
  told: object = facts[kind],
  support_contact = "https://help.example/?a=1&b=2"
) =>
  composeMail({
    notice: {
      id: "ntc_1",
      kind,
      email: "ada@people.example",
      facts: told as Readonly<Record<string, string | number>>,
      status: "pending",
      attempts: 1,
      created_at: "2026-01-31T12:00:00.000Z",
      link_expires_at: "2026-01-31T12:30:00.000Z"
    },
    public_url: "https://postcode.example",
    support_contact,
    organization_name,
    token: "TOKEN",
    reviews: 3,
    unsubscribe_token: rulesOf(kind).isOptional ? "1.a" : undefined
  })

const hostile = '<img src=x onerror="alert(1)">'

describe("the mail of a notice", () => {
  it.each(noticeKindNames)("%s says the same as text and as HTML, without pictures, scripts and forms", (kind) => {
    const { html, subject, text } = mailOf(kind)
    assert.match(subject, /^[\x20-\x7e]{10,70}$/)
    assert.notMatch(html, /<(?:img|script|form|iframe|link|object)|url\(|@import/i)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"))
    assert.isNotEmpty(links)
    for (const link of links) assert.include(text, link)
    for (const link of links) assert.match(link, /^https:\/\/postcode\.example\//)
    const words = html
      .replace(/<(head)>.*<\/\1>/s, "")
      .replace(/<[^>]+>/g, " ")
      .replaceAll("&amp;", "&")
      .replaceAll("&#39;", "'")
    const said = (all: string) => new Set(all.replace(/https?:\S+/g, "").match(/[a-z]{4,}/gi))
    assert.deepStrictEqual([...said(words)].sort(), [...said(text)].sort())
  })

  it("is answered to the contact for questions if that is an address", () => {
    const { reply_to } = mailOf("invitation", undefined, undefined, "help@postcode.example")
    assert.strictEqual(reply_to, "help@postcode.example")
    assert.isUndefined(mailOf("invitation").reply_to)
  })

  it("says that a key for a granted level has to be created, since the level of a key never changes", () => {
    assert.match(mailOf("access_decided").text, /create another key/)
  })

  it.each(noticeKindNames)("%s has a link with the token if it needs one, and only once", (kind) => {
    const { html, subject, text } = mailOf(kind)
    const times = (all: string) => all.split("TOKEN").length - 1
    assert.deepStrictEqual([times(text), times(html), times(subject)], rulesOf(kind).hasLink ? [1, 1, 0] : [0, 0, 0])
  })

  it.each(noticeKindNames)("%s never carries what a stranger typed", (kind) => {
    for (const name of [
      hostile,
      "Win at https://evil.example",
      "call +234 803 123 4567",
      "x".repeat(500),
      "a\r\nBcc: b"
    ]) {
      const { html, subject, text } = mailOf(kind, name)
      for (const part of [subject, text, html]) {
        assert.notInclude(part, "evil.example")
        assert.notInclude(part, "onerror")
        assert.notInclude(part, "803")
        assert.notInclude(part, "\r\nBcc")
        assert.notInclude(part, "x".repeat(maxMentioned))
      }
    }
  })
})

it.each([
  [0, "Your live credits are used up", "Dangote Parcels has no live credits left."],
  [2, "Your last 2 live credits are not enough", "it costs more than the 2 live credits that are left."],
  [1, "Your last live credit is not enough", "it costs more than the 1 live credit that is left."]
])("the mail about %d remaining credits says so", (balance, subject, words) => {
  const mail = mailOf("balance_used_up", "Dangote Parcels", { ...of, environment: "live", balance })
  assert.strictEqual(mail.subject, subject)
  assert.include(mail.text.replace(/\s+/g, " "), words)
})

describe("mentionable", () => {
  it.each([
    ["Dangote Parcels", "Dangote Parcels"],
    ["  Ọjà   & Sons (Nig.) Ltd. ", "Ọjà & Sons (Nig.) Ltd."],
    ["7-Eleven 24", "7-Eleven 24"],
    ["a\u202Eb\u200B\u0000c", "ab c"],
    ["ă".repeat(100), `${"ă".repeat(59)}…`],
    ["𝒳".normalize("NFKC").repeat(61), `${"X".repeat(59)}…`]
  ])("%j is %j", (name, expected) => assert.strictEqual(mentionable(name), expected))

  it.each([
    "",
    " \u200B ",
    "konga.com",
    "KONGA。COM",
    "www konga",
    "see http://x",
    "a@b",
    "bit.ly/abc",
    "example．com",
    "пример.рф",
    "ex\u00ADample.com",
    "mailto:x",
    "call 0803 123 4567",
    "tel 080-312-34567",
    "<b>bold</b>",
    "C:\\x"
  ])("%j is not", (name) => assert.isUndefined(mentionable(name)))
})

it("escapes what has a meaning in HTML", () => {
  assert.strictEqual(escapeHtml(hostile), "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;")
})
