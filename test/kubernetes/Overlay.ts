/** What an overlay of `deploy/kubernetes` builds, and the parts that its documents refer to each other by. */
import { execFile, execFileSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { parse } from "yaml"
import { root } from "../../scripts/workspace.mjs"

export const folder: string = join(root, "deploy", "kubernetes")

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  // biome-ignore lint/suspicious/noExplicitAny: the schemas check what is in there
  readonly [field: string]: any
}

export type Labels = Readonly<Record<string, string>>

export interface Container {
  readonly name: string
  readonly image: string
  readonly env?: ReadonlyArray<{ readonly name: string; readonly value?: string; readonly valueFrom?: object }>
  readonly ports?: ReadonlyArray<{ readonly name: string }>
  readonly volumeMounts: ReadonlyArray<{ readonly name: string; readonly mountPath: string }>
  readonly [field: string]: unknown
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly containers: ReadonlyArray<Container>
    readonly initContainers?: ReadonlyArray<Container>
    readonly volumes: ReadonlyArray<{ readonly name: string; readonly [kind: string]: unknown }>
    readonly terminationGracePeriodSeconds?: number
    readonly [field: string]: unknown
  }
}

/** Whether kubectl is there, in a version whose Kustomize knows components and replacements. */
export const hasKubectl = (): boolean => {
  try {
    const version = execFileSync("kubectl", ["version", "--client", "--output=json"], { encoding: "utf8" })
    return Number(/^v?(\d+)/.exec(JSON.parse(version).kustomizeVersion ?? "")?.[1]) >= 5
  } catch {
    return false
  }
}

/** The documents of a folder with a kustomization. */
export const build = async (path: string): Promise<ReadonlyArray<KubernetesObject>> => {
  const { stdout } = await promisify(execFile)("kubectl", ["kustomize", path], { maxBuffer: 16e6 })
  return stdout.split(/^---$/m).map((text) => parse(text) as KubernetesObject)
}

export const ofKind = (objects: ReadonlyArray<KubernetesObject>, kind: string): ReadonlyArray<KubernetesObject> =>
  objects.filter((object) => object.kind === kind)

/** The pods that the overlay itself describes; the operator makes those of the database. */
export const podsOf = (objects: ReadonlyArray<KubernetesObject>): ReadonlyArray<PodTemplate> =>
  objects.flatMap(({ kind, spec }) => {
    if (kind === "Deployment") return [spec.template]
    return kind === "CronJob" ? [spec.jobTemplate.spec.template] : []
  })

export const containersOf = (objects: ReadonlyArray<KubernetesObject>): ReadonlyArray<Container> =>
  podsOf(objects).flatMap(({ spec }) => [...spec.containers, ...(spec.initContainers ?? [])])

/** The labels of all pods, those that CloudNativePG gives its instances too. */
export const labelsOfPods = (objects: ReadonlyArray<KubernetesObject>): ReadonlyArray<Labels> => [
  ...podsOf(objects).map(({ metadata }) => metadata.labels),
  ...ofKind(objects, "Cluster").map(({ metadata }) => ({
    "cnpg.io/cluster": metadata.name,
    "cnpg.io/podRole": "instance"
  }))
]

/** Every value in a document under a name, however deep, with the name of what holds it. */
export const valuesOf = (value: unknown, name: string): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, name))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [...(key === name ? [item] : []), ...valuesOf(item, name)])
}
