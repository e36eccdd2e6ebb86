import { type Answer, plainText, response, type WebRequest } from './answer.ts'
import type { Host } from './host.ts'

/** What this host answers to this request: robots.txt first, then its gate, routes, traps and graph, in this order. */
export function dispatch(host: Host, request: WebRequest): Answer {
  if (request.path === '/robots.txt') return host.robots?.(request) ?? plainText(200, 'User-agent: *\nDisallow:\n')
  const answer = host.gate?.(request) ?? answerOf(host, request)
  const delayMs = host.latencyMs?.(request) ?? 0
  return delayMs > 0 ? { kind: 'delayed', delayMs, answer } : answer
}

function answerOf(host: Host, request: WebRequest): Answer {
  const { path, method } = request
  if (method !== 'GET' && method !== 'HEAD') return response(405, 'Only GET and HEAD.', { allow: 'GET, HEAD' })
  const keptAs = host.changes ? {} : { keptAs: host.name + path }
  const route = host.route.get(path)
  if (route)
    return 'document' in route ? { kind: 'document', document: () => route.document, ...keptAs } : route.answer(request)
  const page = host.graph.pageAt(path)
  if (page !== undefined) return { kind: 'document', document: () => host.documentOf(page), ...keptAs }
  const trap = host.traps?.find(({ prefix }) => path.startsWith(prefix))
  return trap?.answer(request) ?? response(404, '<title>Not found</title>There is no such page.')
}
