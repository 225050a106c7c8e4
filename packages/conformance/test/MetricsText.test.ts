import { expect, it } from "vitest"
import { readMetrics } from "../src/wire/index.ts"

it.each([
  ["x 1\n", "a sample without a family"],
  ["# HELP x One.\nx 1\n", "a sample without a family"],
  ["# TYPE x gauge\nx 1\n", "no TYPE"],
  ["# HELP x One.\n# TYPE y gauge\ny 1\n", "no TYPE"],
  ["# HELP x One.\n# TYPE x counter\nx 1\n", "the name does not fit the type"],
  ["# HELP x One.\n# TYPE x gauge\nx 1", "the last line has no end"],
  ["# HELP x One.\n# TYPE x gauge\n\nx 1\n", "no sample of x"],
  ["# HELP x One.\n# TYPE x gauge\nx one\n", "no number"],
  ["# HELP x One.\n# TYPE x gauge\nx NaN\n", "no number"],
  ["# HELP x One.\n# TYPE x gauge\nx 1\nx 2\n", "the sample was there before"],
  ["# HELP x One.\n# TYPE x gauge\nx 1\n# HELP x One.\n# TYPE x gauge\nx 1\n", "the family was there before"],
  ['# HELP x One.\n# TYPE x gauge\nx{a="1",a="2"} 1\n', "a label comes twice"],
  ['# HELP x One.\n# TYPE x gauge\nx{a="1",} 1\n', "no sample of x"],
  ['# HELP x One.\n# TYPE x gauge\nx{a="q"q"} 1\n', "no sample of x"],
  ['# HELP x One.\n# TYPE x histogram\nx_bucket{le="1"} 1\nx_sum 1\nx_count 1\n', "do not rise to +Inf"],
  ['# HELP x One.\n# TYPE x histogram\nx_bucket{le="1"} 2\nx_bucket{le="+Inf"} 1\nx_sum 1\nx_count 1\n', "do not rise"],
  ['# HELP x One.\n# TYPE x histogram\nx_bucket{le="+Inf"} 1\nx_sum 1\nx_count 2\n', "is not that of +Inf"]
])("the parser of metrics refuses %j", (text, why) => {
  expect(() => readMetrics(text)).toThrow(why)
})
