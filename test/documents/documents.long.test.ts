// The examples of docs, and of the READMEs of packages, benchmarks and examples.
import { testDocuments } from "./DocumentExamples.ts"
import { firstWeek } from "./FirstWeek.ts"

testDocuments((file) => file.includes("/") && file !== firstWeek)
