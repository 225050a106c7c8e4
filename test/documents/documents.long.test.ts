// The examples of docs, and of the READMEs of benchmarks and examples.
import { testDocuments } from "./DocumentExamples.ts"
import { firstWeek } from "./FirstWeek.ts"

testDocuments((file) => /^(bench|docs|examples)\//.test(file) && file !== firstWeek)
