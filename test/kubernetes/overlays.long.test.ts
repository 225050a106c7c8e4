// The overlays of deploy/kubernetes: every document fits its schema, and what one document says of another is true.
import { readFileSync } from "node:fs"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { root } from "../../scripts/workspace.mjs"
import {
  build,
  containersOf,
  folder,
  hasKubectl,
  type KubernetesObject,
  type Labels,
  labelsOfPods,
  ofKind,
  podsOf,
  valuesOf
} from "./Overlay.ts"
import { faultsOf } from "./schemas.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

// Where kubectl is missing, the report has these names as skipped.
describe.skipIf(!hasKubectl()).each(["single", "replicas"])("the overlay %s (needs kubectl, 1.27 or later)", (name) => {
  let objects: ReadonlyArray<KubernetesObject>
  const named = (kind: string): ReadonlyArray<string> => ofKind(objects, kind).map(({ metadata }) => metadata.name)
  const only = (kind: string): KubernetesObject => {
    const [found, ...others] = ofKind(objects, kind)
    expect({ kind, found: found !== undefined, others }).toEqual({ kind, found: true, others: [] })
    return found as KubernetesObject
  }
  beforeAll(async () => {
    objects = await build(join(folder, name))
  })

  it("has only fields and values that the schemas know", { timeout: 300_000 }, async () => {
    expect(objects.length).toBeGreaterThan(8)
    expect(await faultsOf(objects)).toEqual([])
  })

  it("puts everything into one namespace", () => {
    const { name: namespace } = only("Namespace").metadata
    for (const { kind, metadata } of objects) {
      if (kind !== "Namespace") expect({ kind, metadata }).toMatchObject({ metadata: { namespace } })
    }
  })

  it("confines each container, and gives it resources, as compose.yaml does", () => {
    for (const { spec } of podsOf(objects)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } }
      })
      expect(named("ServiceAccount")).toContain(spec.serviceAccountName)
      for (const field of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec).not.toHaveProperty(field)
      for (const volume of spec.volumes) expect(volume).not.toHaveProperty("hostPath")
      for (const { emptyDir } of spec.volumes) if (emptyDir) expect(emptyDir).toHaveProperty("sizeLimit")
    }
    for (const container of containersOf(objects)) {
      expect(container).toMatchObject({
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] }
        },
        resources: {
          requests: { cpu: expect.anything(), memory: expect.anything() },
          limits: { memory: expect.anything() }
        }
      })
      expect(valuesOf(container.securityContext, "add")).toEqual([])
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain("/tmp")
    }
  })

  it("names the image in one place, with a tag", () => {
    const images = new Set(containersOf(objects).map(({ image }) => image))
    expect([...images]).toEqual([expect.stringMatching(/^[a-z.]+\/postcode-gateway:(?!latest$)[\w.-]+$/)])
    expect(read(`deploy/kubernetes/${name}/kustomization.yaml`).match(/newTag:/g)).toHaveLength(1)
  })

  it("mounts volumes that the pod has, and has none that nothing mounts", () => {
    for (const { spec } of podsOf(objects)) {
      const mounted = [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ volumeMounts }) => volumeMounts)
      expect(new Set(mounted.map((mount) => mount.name))).toEqual(new Set(spec.volumes.map((volume) => volume.name)))
    }
    for (const claim of podsOf(objects).flatMap(({ spec }) => valuesOf(spec, "claimName"))) {
      expect(named("PersistentVolumeClaim")).toContain(claim)
    }
  })

  it("has no secret, and refers to those that the guide or the operator creates, and to settings that are there", () => {
    expect(named("Secret")).toEqual([])
    const guide = [...read("docs/kubernetes.md").matchAll(/create secret generic (\S+)/g)].map(([, secret]) => secret)
    const known = new Set([...guide, ...named("Cluster").flatMap((cluster) => [`${cluster}-app`, `${cluster}-ca`])])
    const references = [
      ...["secretRef", "secretKeyRef", "accessKeyId", "secretAccessKey"].flatMap((field) => valuesOf(objects, field)),
      ...valuesOf(objects, "secretName").map((secret) => ({ name: secret }))
    ] as ReadonlyArray<{ readonly name: string }>
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) expect([...known]).toContain(reference.name)
    for (const { name: map } of valuesOf(objects, "configMapRef") as ReadonlyArray<{ readonly name: string }>) {
      expect(named("ConfigMap")).toContain(map)
    }
  })

  it("sets only variables that the service, its commands or Node know", () => {
    const documented = read("docs/configuration.md") + read("docs/reference/command-line.md")
    const variables = new Set([
      ...containersOf(objects).flatMap(({ env }) => (env ?? []).map((variable) => variable.name)),
      ...Object.keys(only("ConfigMap").data)
    ])
    // A part of DATABASE_URL, and what npm reads.
    for (const helper of ["DATABASE_ADDRESS", "npm_config_cache"]) variables.delete(helper)
    expect(variables.size).toBeGreaterThan(5)
    for (const variable of variables) expect(documented).toMatch(new RegExp(`\\b${variable}\\b`))
    expect(
      Object.keys(only("ConfigMap").data).filter((key) => /TOKEN|PEPPER|SESSION_KEYS|SMTP|DATABASE_URL/.test(key))
    ).toEqual([])
  })

  it("takes the hostname of the route from the public URL, and admits the namespace of the Gateway", () => {
    const { spec } = only("HTTPRoute")
    expect(spec.hostnames).toEqual([new URL(only("ConfigMap").data.POSTCODE_PUBLIC_URL).hostname])
    const policy = ofKind(objects, "NetworkPolicy").find(({ metadata }) => metadata.name === "service")
    expect(policy?.spec.ingress[0].from).toEqual([
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": spec.parentRefs[0].namespace } } }
    ])
  })

  it("selects pods, Services and ports that are there", () => {
    const pods = labelsOfPods(objects)
    const service = only("Service")
    const selected = [
      service.spec.selector,
      ...ofKind(objects, "Deployment").map(({ spec }) => spec.selector.matchLabels),
      ...(valuesOf(objects, "podSelector") as ReadonlyArray<{ readonly matchLabels?: Labels }>).map(
        ({ matchLabels }) => matchLabels ?? {}
      ),
      ...(valuesOf(objects, "labelSelector") as ReadonlyArray<{ readonly matchLabels: Labels }>).map(
        ({ matchLabels }) => matchLabels
      ),
      ...["PodDisruptionBudget", "PodMonitor"].flatMap((kind) =>
        ofKind(objects, kind).map(({ spec }) => spec.selector.matchLabels)
      )
    ]
    for (const labels of selected) {
      const isCommands = labels["app.kubernetes.io/component"] === "commands" && name === "single"
      const isOperator = labels["app.kubernetes.io/name"] === "cloudnative-pg"
      if (!isCommands && !isOperator) expect(pods).toContainEqual(expect.objectContaining(labels))
    }
    const names = [
      ...valuesOf(objects, "scaleTargetRef").map((target) => ({ kind: "Deployment", ...(target as object) })),
      ...ofKind(objects, "ScheduledBackup").map(({ spec }) => ({ kind: "Cluster", ...spec.cluster })),
      ...valuesOf(objects, "barmanObjectName").map((store) => ({ kind: "ObjectStore", name: store }))
    ] as ReadonlyArray<{ readonly kind: string; readonly name: string }>
    expect(names).toHaveLength(name === "replicas" ? 3 : 0)
    for (const target of names) expect(named(target.kind)).toContain(target.name)
    const ports = containersOf(objects)
      .flatMap((container) => container.ports ?? [])
      .map((port) => port.name)
    for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort)
    const policed = ofKind(objects, "NetworkPolicy").flatMap(({ spec }) => valuesOf(spec, "port"))
    for (const port of policed) if (typeof port === "string") expect(ports).toContain(port)
    const [backend] = only("HTTPRoute").spec.rules[0].backendRefs
    expect(backend).toMatchObject({ name: service.metadata.name, port: service.spec.ports[0].port })
    const monitor = only("ServiceMonitor").spec
    expect(service.metadata.labels).toMatchObject(monitor.selector.matchLabels)
    expect(service.spec.ports).toContainEqual(expect.objectContaining({ name: monitor.endpoints[0].port }))
    expect(service.metadata.labels?.[monitor.jobLabel]).toBe("postcode")
  })

  it("probes the operations port, and waits as long as was measured before it kills a pod", () => {
    const { spec } = only("Deployment").spec.template
    const [container] = spec.containers
    const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => container[probe].httpGet)
    expect(probes).toEqual(["live", "live", "ready"].map((path) => ({ path: `/health/${path}`, port: "operations" })))
    const compose = parse(read("deploy/compose.yaml"), { merge: true }).services["gateway-1"].stop_grace_period
    const systemd = /^TimeoutStopSec=(\d+)$/m.exec(read("deploy/postcode.service"))?.[1]
    const needed_s = Number.parseInt(name === "single" ? `${systemd}` : compose, 10)
    expect(needed_s).toBeGreaterThanOrEqual(50)
    expect(spec.terminationGracePeriodSeconds).toBe(container.lifecycle.preStop.sleep.seconds + needed_s)
  })
})

describe.skipIf(!hasKubectl())("the overlay replicas (needs kubectl, 1.27 or later)", () => {
  it("has connections for all replicas, one more while they are replaced, and ten others", async () => {
    const objects = await build(join(folder, "replicas"))
    const [{ spec: scaler }, { spec: deployment }, { data }, { spec: cluster }] = [
      "HorizontalPodAutoscaler",
      "Deployment",
      "ConfigMap",
      "Cluster"
    ].map((kind) => ofKind(objects, kind)[0]) as unknown as readonly [
      KubernetesObject,
      KubernetesObject,
      KubernetesObject,
      KubernetesObject
    ]
    // Applying it again must not undo what the autoscaler chose.
    expect(deployment).not.toHaveProperty("replicas")
    const most = scaler.maxReplicas + deployment.strategy.rollingUpdate.maxSurge
    const connections = most * (Number(data.POSTCODE_DATABASE_CONNECTIONS) + 3) + 10
    expect(Number(cluster.postgresql.parameters.max_connections)).toBeGreaterThanOrEqual(connections)
  })

  const buildWith = async (component: string): Promise<ReadonlyArray<KubernetesObject>> => {
    const copy = await mkdtemp(join(tmpdir(), "postcode-kubernetes-"))
    try {
      await cp(folder, copy, { recursive: true })
      const path = join(copy, "replicas", "kustomization.yaml")
      const text = await readFile(path, "utf8")
      const changed = text.replace(`# - ../components/${component}`, `- ../components/${component}`)
      expect(changed).not.toBe(text)
      await writeFile(path, changed)
      return await build(join(copy, "replicas"))
    } finally {
      await rm(copy, { recursive: true })
    }
  }

  it("has a valid demonstration, if its line is not a comment", { timeout: 300_000 }, async () => {
    const objects = await buildWith("demonstration")
    expect(await faultsOf(objects)).toEqual([])
    const { initContainers = [], containers, volumes } = ofKind(objects, "Deployment")[0]?.spec.template.spec ?? {}
    expect(initContainers).toMatchObject([{ image: containers[0].image }])
    for (const mount of initContainers[0].volumeMounts) {
      expect(volumes).toContainEqual(expect.objectContaining({ name: mount.name }))
    }
  })

  it("restores from the archive of the old database, and writes to another, if its line is not a comment", async () => {
    const [before, after] = [await build(join(folder, "replicas")), await buildWith("restore")]
    expect(await faultsOf(after)).toEqual([])
    const [old, restored] = [before, after].map((objects) => ofKind(objects, "Cluster")[0]) as unknown as readonly [
      KubernetesObject,
      KubernetesObject
    ]
    const { initdb, recovery } = restored.spec.bootstrap
    const { database, owner } = old.spec.bootstrap.initdb
    expect({ initdb, recovery }).toMatchObject({ initdb: undefined, recovery: { database, owner, source: "archive" } })
    const [{ name, plugin: from }] = restored.spec.externalClusters
    expect(name).toBe(recovery.source)
    expect(from.parameters.serverName).toBe(old.metadata.name)
    const [{ parameters: to }] = restored.spec.plugins
    expect(to).toEqual({
      ...old.spec.plugins[0].parameters,
      serverName: expect.not.stringMatching(`^${old.metadata.name}$`)
    })
  }, 300_000)
})

describe("the schemas", () => {
  const deployment = (container: object): KubernetesObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "broken" },
    spec: { selector: {}, template: { spec: { containers: [{ name: "one", ...container }] } } }
  })

  it("refuse values of a wrong type, fields that do not exist and kinds that this test does not know", async () => {
    const faults = await faultsOf([
      deployment({ image: 1 }),
      deployment({ lifecycle: { preStopHook: { sleep: { seconds: 1 } } } }),
      {
        apiVersion: "barmancloud.cnpg.io/v1",
        kind: "ObjectStore",
        metadata: { name: "broken" },
        spec: { retentionPolicy: "30 days", configuration: { destinationPath: "s3://one" } }
      },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "broken" } }
    ])
    for (const fault of [/image must be string/, /preStopHook/, /30 days/, /v1\/Pod is not among the kinds/]) {
      expect(faults.filter((line) => fault.test(line))).toHaveLength(1)
    }
  })
})
