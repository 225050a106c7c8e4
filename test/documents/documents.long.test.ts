// The examples of docs, and of the READMEs of examples.
import { testDocuments } from "./DocumentExamples.ts"
import { firstWeek } from "./FirstWeek.ts"

testDocuments((file) => /^(docs|examples)\//.test(file) && file !== firstWeek)
