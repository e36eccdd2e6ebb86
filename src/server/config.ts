import * as z from 'zod'

export const usualListen = '127.0.0.1:7070'

export const serverConfig = z.strictObject({
  listen: z
    .string()
    .default(usualListen)
    .describe(
      'Where the dashboard and the API are served. Other addresses than loopback need a token or an issuer. Unless it is given, another port is taken where this one is in use.',
    ),
  tokenFile: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'File of tokens, one a line: `ROLE NAME TOKEN` or `ROLE NAME sha256:HEX`; the role is viewer, operator or admin. A line with nothing but a token is an admin’s.',
    ),
  oidc: z
    .strictObject({
      issuer: z.url().describe('The issuer, such as https://login.example.com/realms/main'),
      audience: z.string().min(1).describe('What tokens must be for'),
      roleClaim: z.string().default('orbweaver_role').describe('The claim that holds the role, or a list of roles'),
    })
    .nullable()
    .default(null)
    .describe('Whose tokens are accepted, beside those of the file'),
  allowedOrigins: z
    .array(z.string())
    .default([])
    .describe('Origins of other web pages that may use the API, such as https://ops.example.com'),
  allowedHosts: z
    .array(z.string())
    .default([])
    .describe('Further names by which the server may be addressed, such as crawler.internal'),
  requestsPerSecond: z.int().min(1).default(200).describe('Requests that one address may make in a second'),
  auditFile: z.string().nullable().default(null).describe('File to which every action is appended, as JSON lines'),
})

export type ServerConfig = z.infer<typeof serverConfig>
