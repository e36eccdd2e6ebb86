import { readFileSync } from 'node:fs'
import { Agent } from 'undici'
import { UsageError } from '../../../config/usage-error.ts'
import type { WorkerPool } from '../../worker-pool.ts'

export interface ServiceAccount {
  /** `https://host:port` of the API server. */
  readonly server: string
  /** Read again for each request: it is renewed while we run. */
  readonly token: () => string
  readonly ca: string
  readonly namespace: string
}

export interface KubernetesPoolOptions {
  readonly account: ServiceAccount
  readonly deployment: string
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** What Kubernetes gives to every pod. */
export function mountedAccount(
  environment: Readonly<Record<string, string | undefined>>,
  folder = accountFolder,
): ServiceAccount {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment
  const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').trim()
  try {
    if (!host) throw new Error('KUBERNETES_SERVICE_HOST is not set')
    const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
    return { server, token: () => read('token'), ca: read('ca.crt'), namespace: read('namespace') }
  } catch (cause) {
    throw new UsageError(
      `orchestrator.scaling.pool kubernetes works inside a pod with a service account (${(cause as Error).message}).`,
      { cause },
    )
  }
}

/**
 * Workers as the pods of a deployment, scaled by its `scale` subresource; that, and deleting pods, is all that the
 * service account must be allowed. A pod that goes gets SIGTERM, so its worker drains within the grace period.
 */
export function kubernetesPool({ account, deployment }: KubernetesPoolOptions): WorkerPool {
  const { server, namespace } = account
  const agent = new Agent({ connect: { ca: account.ca, timeout: 5000 }, headersTimeout: 15_000, bodyTimeout: 15_000 })
  const scalePath = `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments/${encodeURIComponent(deployment)}/scale`

  async function ask(method: 'GET' | 'PATCH' | 'DELETE', path: string, patch?: object): Promise<unknown> {
    const { statusCode, body } = await agent.request({
      ...{ origin: server, path, method },
      headers: {
        ...{ authorization: `Bearer ${account.token()}`, accept: 'application/json' },
        ...(patch && { 'content-type': 'application/merge-patch+json' }),
      },
      body: patch ? JSON.stringify(patch) : null,
    })
    const text = await body.text()
    if (statusCode === 404 && method === 'DELETE') return undefined
    if (statusCode >= 300) throw new Error(refusal(method, path, statusCode, text))
    return JSON.parse(text)
  }

  async function size(): Promise<number> {
    const { spec } = (await ask('GET', scalePath)) as { spec?: { replicas?: number } }
    return spec?.replicas ?? 0
  }

  return {
    size,
    async scaleTo(count) {
      if ((await size()) !== count) await ask('PATCH', scalePath, { spec: { replicas: count } })
    },
    // The deployment is the same whoever leads.
    standDown: async () => 0,
    // A pod's name is its host name: the deployment's, the replica set's hash, its own.
    owns: ({ host }) => host.startsWith(`${deployment}-`),
    async replace({ host }) {
      const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(host)}`
      await ask('DELETE', `${pods}?gracePeriodSeconds=0`)
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

function refusal(method: string, path: string, status: number, text: string): string {
  const message = /"message":\s*"((?:[^"\\]|\\.){0,300})"/.exec(text)?.[1] ?? text.slice(0, 200)
  const hint = status === 403 ? ' Let its service account get and patch deployments/scale, and delete pods.' : ''
  return `Kubernetes refuses ${method} ${path} with ${status}: ${message}.${hint}`
}
