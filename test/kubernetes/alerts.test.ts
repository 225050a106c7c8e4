// Kustomize cannot place a file inside a resource, so the rule for the Prometheus operator is made from deploy/alerts.yml.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { root } from "../../scripts/workspace.mjs"

const path = join(root, "deploy/kubernetes/components/monitoring/alerts.yaml")

it("the PrometheusRule has the alerts of deploy/alerts.yml, as they are written there", () => {
  const alerts = readFileSync(join(root, "deploy/alerts.yml"), "utf8")
  const head = `# Made from deploy/alerts.yml, because Kustomize cannot place a file inside a resource.
# Do not edit it: UPDATE_DOCS=1 npm test -- kubernetes
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: postcode
spec:
`
  const expected = head + alerts.slice(alerts.indexOf("groups:")).replace(/^(?=.)/gm, "  ")
  if (process.env.UPDATE_DOCS === "1") writeFileSync(path, expected)
  expect(readFileSync(path, "utf8"), "UPDATE_DOCS=1 npm test -- kubernetes").toBe(expected)
  expect(parse(expected).spec).toEqual(parse(alerts))
})
