import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { serviceUrl } from "../src/commands/CommonFlags.ts"
import { network, priceList, webOrigin } from "../src/commands/serve.ts"
import { decimal, duration, list, oneOf, type Reader, text, wholeNumber } from "../src/Parameters.ts"

const read = <A>(reader: Reader<A>, given: string): A | string =>
  Result.match(reader(given), { onSuccess: (value) => value, onFailure: (expected) => `expected ${expected}` })

describe("wholeNumber", () => {
  const port = wholeNumber(0, 65_535)

  it.each(["0", "3000", "65535", "007"])("takes %j", (given) => {
    expect(read(port, given)).toBe(Number(given))
  })

  it.each(["", " 1", "1.0", "1e3", "0x10", "+1", "-1", "65536", "NaN", "Infinity", "99999999999999999999"])(
    "refuses %j, and the message has the valid values",
    (given) => {
      expect(read(port, given)).toBe("expected a whole number from 0 to 65535")
    }
  )
})

describe("duration", () => {
  it.each([
    ["30m", 1_800_000],
    ["12h", 43_200_000],
    ["90d", 7_776_000_000]
  ])("takes %j", (given, value_ms) => {
    expect(read(duration, given)).toBe(value_ms)
  })

  it.each(["", "90", "0d", "007d", "1.5h", "-1d", "1w", "1000000d", "d", "90 d", "90D", "1d12h"])(
    "refuses %j",
    (given) => {
      expect(read(duration, given)).toBe("expected a length of time such as 90d, 12h or 30m")
    }
  )
})

describe("decimal", () => {
  const latitude = decimal(-90, 90, "a latitude")

  it.each([
    ["6.5244", 6.5244],
    ["-4", -4],
    [".5", 0.5],
    ["9e1", 90],
    ["-90", -90],
    ["5.", 5],
    [`1.${"0".repeat(38)}`, 1]
  ])("takes %j", (given, value) => {
    expect(read(latitude, given)).toBe(value)
  })

  it.each(["", "90.0001", "NaN", "Infinity", "0x5A", "6,5", "6.5°", "--4"])("refuses %j", (given) => {
    expect(read(latitude, given)).toBe("expected a latitude")
  })

  it("takes numbers of any length, and refuses what is out of range", () => {
    expect(read(latitude, `1.${"0".repeat(39)}1`)).toBe(1)
    expect(read(latitude, "1".repeat(120_000))).toBe("expected a latitude")
  })
})

describe("list", () => {
  it("takes values between commas, with white space around them", () => {
    expect(read(list(oneOf(["search", "lookup"])), "lookup, search")).toEqual(["lookup", "search"])
  })

  it("refuses the whole list if one value is invalid", () => {
    expect(read(list(oneOf(["search", "lookup"])), "search,write")).toBe(
      "expected one of search, lookup, with commas between several"
    )
    expect(read(list(text), "a,,b")).toBe("expected a text that is not empty, with commas between several")
  })
})

describe("priceList", () => {
  it("changes the prices that it names and keeps the others", () => {
    expect(read(priceList, "4=7,5=8, session=0,address=2")).toEqual({
      lookup: { 2: 1, 3: 2, 4: 7, 5: 8 },
      widget_session: 0,
      address_search: 2
    })
  })

  it.each([
    ["5=0", "level 5 costs 0 and level 4 costs 3"],
    ["3=7", "level 4 costs 3 and level 3 costs 7"],
    ["2=4,3=4", "level 4 costs 3 and level 3 costs 4"]
  ])("refuses %j, because a level would cost less than a lower one", (given, named) => {
    expect(read(priceList, given)).toBe(`expected prices that do not fall from level to level, but ${named}`)
  })

  it.each(["", "2", "2=", "2=-1", "2=1.5", "2=1,2=1", "1=1", "6=1", "2=1000001", "2=1,", "lookup=1"])(
    "refuses %j",
    (given) => {
      expect(read(priceList, given)).toMatch(/^expected prices such as 2=1,/)
    }
  )
})

describe("network", () => {
  it.each(["127.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"])("takes %j", (given) => {
    expect(read(network, given)).toBe(given)
  })

  it.each(["", "localhost", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/1e1"])(
    "refuses %j",
    (given) => {
      expect(read(network, given)).toBe("expected an IP address or a range such as 10.0.0.0/8")
    }
  )
})

describe("webOrigin", () => {
  it.each([
    ["https://postcode.example", "https://postcode.example"],
    ["https://Postcode.Example:443/", "https://postcode.example"],
    ["http://localhost:3000", "http://localhost:3000"]
  ])("takes %j", (given, origin) => {
    expect(read(webOrigin, given)).toBe(origin)
  })

  const wrong = ["", "postcode.example", "ftp://x", "https://user:word@x", "https://x/console", "https://x/?a", "null"]
  const meaningful = ['https://a"b', "https://a;b", "https://a,b", "https://a'b", "https://*.example", "https://a b"]
  it.each([...wrong, ...meaningful, "http://[::1]:80"])("refuses %j", (given) => {
    expect(read(webOrigin, given)).toMatch(/^expected an address without a path/)
  })
})

describe("serviceUrl", () => {
  it.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["https://postcode.example/", "https://postcode.example"],
    ["https://example.com/gateway/", "https://example.com/gateway"]
  ])("takes %j", (given, url) => {
    expect(read(serviceUrl, given)).toBe(url)
  })

  it.each(["", "127.0.0.1:3000", "ftp://x", "http://user:word@x", "http://x/?a=b", "http://x/#a"])(
    "refuses %j",
    (given) => {
      expect(read(serviceUrl, given)).toMatch(/^expected the address of a service/)
    }
  )
})
