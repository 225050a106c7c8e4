// The examples of docs.
import { testDocuments } from "./DocumentExamples.ts"

testDocuments((file) => file.startsWith("docs/"))
