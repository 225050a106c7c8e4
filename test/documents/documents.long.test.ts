// The examples of docs, and of the READMEs of packages, benchmarks and examples.
import { testDocuments } from "./DocumentExamples.ts"
import { pagesWithOwnTests } from "./PagesWithOwnTests.ts"

testDocuments((file) => file.includes("/") && !pagesWithOwnTests.includes(file))
