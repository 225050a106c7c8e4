/**
 * Documents against the schemas of Kubernetes, CloudNativePG, the Gateway API and the Prometheus operator, as the packages
 * `kubernetes-models` and `@kubernetes-models/*` have them.
 *
 * Their validators check values and required fields, and accept unknown fields. Their types know all fields, so the compiler
 * finds those that do not exist.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../scripts/workspace.mjs"
import type { KubernetesObject } from "./Overlay.ts"

/** The modules of the kinds that the overlays have, by API version and kind. */
const modules: Readonly<Record<string, string>> = {
  "v1/ConfigMap": "kubernetes-models/v1/ConfigMap",
  "v1/Namespace": "kubernetes-models/v1/Namespace",
  "v1/PersistentVolumeClaim": "kubernetes-models/v1/PersistentVolumeClaim",
  "v1/Service": "kubernetes-models/v1/Service",
  "v1/ServiceAccount": "kubernetes-models/v1/ServiceAccount",
  "apps/v1/Deployment": "kubernetes-models/apps/v1/Deployment",
  "autoscaling/v2/HorizontalPodAutoscaler": "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler",
  "batch/v1/CronJob": "kubernetes-models/batch/v1/CronJob",
  "networking.k8s.io/v1/NetworkPolicy": "kubernetes-models/networking.k8s.io/v1/NetworkPolicy",
  "policy/v1/PodDisruptionBudget": "kubernetes-models/policy/v1/PodDisruptionBudget",
  "gateway.networking.k8s.io/v1/HTTPRoute": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute",
  "monitoring.coreos.com/v1/PodMonitor": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor",
  "monitoring.coreos.com/v1/PrometheusRule":
    "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule",
  "monitoring.coreos.com/v1/ServiceMonitor":
    "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor",
  "postgresql.cnpg.io/v1/Cluster": "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster",
  "postgresql.cnpg.io/v1/ScheduledBackup": "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup"
}

/** The Barman Cloud plugin has no package. The operator's own package has the schema of what it calls `configuration`. */
const objectStore = "barmancloud.cnpg.io/v1/ObjectStore"
const configuration = "BarmanObjectStoreConfiguration"
const configurationModule = `@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/${configuration}`

const idOf = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion}/${kind}`

/** What is wrong with each document; empty if nothing is. */
export const faultsOf = async (objects: ReadonlyArray<KubernetesObject>): Promise<ReadonlyArray<string>> => [
  ...(await Promise.all(objects.map(invalidValues))).flat(),
  ...(await unknownFields(objects))
]

interface Validating {
  readonly validate: () => void
}

const invalidValues = async (object: KubernetesObject): Promise<ReadonlyArray<string>> => {
  const id = idOf(object)
  const path = id === objectStore ? configurationModule : modules[id]
  if (path === undefined) return [`${id} is not among the kinds of this test`]
  const { [path.split("/").at(-1) as string]: Model } = (await import(path)) as {
    readonly [name: string]: new (data: object) => Validating
  }
  if (Model === undefined) throw new Error(`${path} has no model`)
  try {
    new Model(id === objectStore ? object.spec.configuration : object).validate()
    return []
  } catch (error) {
    return [`${id} ${object.metadata.name}: ${(error as Error).message}`]
  }
}

const unknownFields = async (objects: ReadonlyArray<KubernetesObject>): Promise<ReadonlyArray<string>> => {
  const known = objects.filter((object) => idOf(object) === objectStore || modules[idOf(object)] !== undefined)
  const generated = await mkdtemp(join(import.meta.dirname, "node_modules", "generated-"))
  try {
    await writeFile(join(generated, "documents.ts"), known.map(typed).join("\n"))
    await writeFile(join(generated, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["documents.ts"] }))
    await promisify(execFile)(process.execPath, [tsc, "--project", generated, "--pretty", "false"])
    return []
  } catch (error) {
    const { stdout = "" } = error as { readonly stdout?: string }
    const lines = stdout.split("\n").filter((line) => line !== "")
    if (lines.length === 0) throw error
    return lines
  } finally {
    await rm(generated, { recursive: true })
  }
}

const tsc = join(root, "node_modules", "typescript", "bin", "tsc")

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  types: []
}

/** A document as a literal: the compiler refuses fields that its type does not have, at any depth. */
const typed = (object: KubernetesObject, index: number): string => {
  const text = JSON.stringify(object)
  if (idOf(object) !== objectStore)
    return `import type { I${object.kind} as I${index} } from "${modules[idOf(object)]}"\nexport const d${index}: I${index} = ${text}`
  return `import type { I${configuration} as I${index} } from "${configurationModule}"
export const d${index}: {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec: { readonly retentionPolicy?: \`\${number}\${"d" | "w" | "m"}\`; readonly configuration: I${index} }
} = ${text}`
}
