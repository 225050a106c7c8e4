/** What breaks programs that did not expect it. */
import { type Json, JsonFields, JsonToken } from "./JsonText.ts"

export const prototypeNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "then"
]

/** Texts of any kind: numbers at their ends, Unicode, what other languages would run. */
export const hostileTexts: ReadonlyArray<string> = [
  ...["", " ", "\t", "\0", "a\0b", "\u0007", "\u001b[31m", "\r\nSet-Cookie: a=b", "\u2028", "\ufeff", "\ufffd"],
  ...["\u202eLA12", "\u200f\u200eLA", "\u1ecd\u0300yo\u0301", "e\u0301\u0301\u0301", "\u{1f600}", "\u{10ffff}"],
  ...["\ufdfa".repeat(20), "Z\u0351\u036b\u0343".repeat(50), "\u0130", "\u00df", "\uff2c\uff21", "\u0000".repeat(100)],
  ...["0", "-0", "-1", "1.5", "+1", "01", "1e1", "1e309", "1e-400", "-1e400", "NaN", "Infinity", "-Infinity"],
  ...["0x10", "0b1", "1_000", "9007199254740993", "9".repeat(400), `0.${"0".repeat(400)}1`, "\u0661\u0662", "1,5"],
  ...["null", "undefined", "true", "[]", "{}", "[object Object]", '"', "'", "\\", "`"],
  ...["../../etc/passwd", "..\\..\\", "file:///etc/passwd", "http://169.254.169.254/", "javascript:alert(1)"],
  ...["'; DROP TABLE keys; --", '" OR 1=1 --', "%", "_", "{{7*7}}", "#{7*7}", "<script>", "%00", "%s%n", "$(id)"],
  ...["LA-12-A03-BG-07", "la12a03bg07", "LA 12 A03BG07", "LA-12", "LA\u201312\u2013A03\u2013BG\u201307"],
  ...["2026-02-29", "2026-13-01T00:00:00Z", "-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "0000-00-00"],
  ...["a@b", `${"a".repeat(300)}@example.com`, "a@[127.0.0.1]", '"a b"@example.com', "x@xn--80ak6aa92e.com"],
  ...[
    "https://",
    "http://a:b@c.invalid",
    "https://a.invalid:99999",
    "https://[::1]",
    "HTTPS://A.INVALID",
    "//a.invalid"
  ],
  ...["a".repeat(101), "a".repeat(257), "a".repeat(5_000), " ".repeat(3_000), "\u1ecd".repeat(1_000), "1".repeat(12)]
]

const deep = (levels: number): Json => new JsonToken("[".repeat(levels) + "]".repeat(levels))
const deepObjects = (levels: number): Json => new JsonToken(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`)

/** Values of any kind, and what is no JSON. */
export const hostileJson: ReadonlyArray<Json> = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, 2 ** 31, "", [], [[]], [null], new JsonFields([])],
  ...["1e400", "-1e400", "-0", "1E+2", "0.1e-400", "9".repeat(400), "1".repeat(9_000)].map(
    (text) => new JsonToken(text)
  ),
  ...["NaN", "Infinity", "undefined", "01", "+1", ".5", "1.", "0x10", "'a'", "/**/1", "", ",", "}"].map(
    (text) => new JsonToken(text)
  ),
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\\u12"', '"\n"', '"\t"', '"'].map(
    (text) => new JsonToken(text)
  ),
  new JsonFields([["__proto__", new JsonFields([["admin", true]])]]),
  new JsonFields([["constructor", new JsonFields([["prototype", new JsonFields([["admin", true]])]])]]),
  new JsonFields([["toString", 1]]),
  new JsonFields([["length", -1]]),
  new JsonFields([["then", "x"]]),
  ["LA12A03BG07"],
  Array.from({ length: 2_000 }, () => 0),
  Array.from({ length: 101 }, () => "LA12A03BG07"),
  deep(500),
  deep(20_000),
  deepObjects(9_000)
]
