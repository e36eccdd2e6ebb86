import * as z from 'zod'

const MIB = 1024 * 1024
const limitMs = z.number().int().min(1)
const bytes = z.number().int().min(1)
const headerText = z.string().regex(/^[\x20-\x7e]+$/, 'only printable ASCII may stand in a header')

export const fetchConfig = z.strictObject({
  userAgent: headerText.optional().describe('Whole User-Agent; none: `orbweaver/0.1 (+contact)`'),
  contact: z
    .url({ protocol: /^(https?|mailto)$/ })
    .default('https://www.npmjs.com/package/orbweaver')
    .describe('Where the owner of a site can find out who crawls it; stands in the User-Agent'),
  acceptLanguage: headerText.default('en,*;q=0.5').describe('Languages asked for'),
  connectTimeoutMs: limitMs.default(5000).describe('Until a connection stands, TLS included, over all addresses'),
  firstByteTimeoutMs: limitMs.default(5000).describe('From the request until the head of the answer is complete'),
  bodyTimeoutMs: limitMs.default(5000).describe('Longest pause within a body'),
  totalTimeoutMs: limitMs
    .default(5000)
    .describe('For the whole attempt; a body that flows faster than `minBytesPerSecond` earns more time'),
  minBytesPerSecond: bytes
    .default(64 * 1024)
    .describe('Each time so many bytes have come, the attempt may last a second longer'),
  maxBodyBytes: bytes.default(10 * MIB).describe('Largest page, decoded; more is cut, or refused when announced'),
  maxSitemapBytes: bytes
    .default(50 * MIB)
    .describe('The same for XML and compressed files, which may be sitemaps; what came compressed counts inflated'),
  maxOtherBytes: bytes.default(1 * MIB).describe('What is kept of types that are not parsed, such as video'),
  maxMediaBytes: bytes
    .default(16 * 1024)
    .describe('What is kept of images, audio, video and fonts: enough to tell what they are'),
  maxInflation: z
    .number()
    .min(1)
    .default(200)
    .describe('A body over 1 MiB may be this many times what came over the wire'),
  maxHeldBytes: bytes
    .default(64 * MIB)
    .describe('Bodies received and not yet stored, in all; over it answers wait on their connections'),
  maxHeaderBytes: bytes.default(64 * 1024).describe('Largest head of an answer'),
  maxHeaders: z.number().int().min(1).default(256).describe('Most headers of an answer'),
  connectionsPerOrigin: z.number().int().min(1).default(64).describe('Connections to one origin at the same time'),
  maxIdleConnections: z
    .number()
    .int()
    .min(0)
    .default(10_000)
    .describe('Unused connections kept open over all origins; at most half of the files that may be open'),
  keepAliveMs: limitMs.default(4000).describe('How long an unused connection is kept when the server does not say'),
  maxKeepAliveMs: limitMs.default(60_000).describe('How long it is kept at most when the server says more'),
  http2: z.boolean().default(true).describe('Offer HTTP/2 to servers that are spoken to over TLS'),
  caCertificates: z
    .array(z.string().min(1))
    .default([])
    .describe('PEM files of further certificate authorities to trust, for private sites'),
  retryDelaysMs: z
    .array(z.number().int().min(0))
    .default([1000, 2000, 4000])
    .describe('Waits before each further attempt at what can heal'),
})

export type FetchConfig = z.infer<typeof fetchConfig>
