// The examples of docs.
import { testDocuments } from "./DocumentExamples.ts"
import { firstWeek } from "./FirstWeek.ts"

testDocuments((file) => file.startsWith("docs/") && file !== firstWeek)
