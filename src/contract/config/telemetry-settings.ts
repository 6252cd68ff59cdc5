// Where traces and metrics of the workers go.
import { z } from 'zod'

const ListenAddress = z
  .string()
  .regex(
    /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost):)?\d{1,5}$/,
    'must be a port or an address and a port, like "127.0.0.1:9464"',
  )

// A password in the address would end up in every copy of the configuration.
const CollectorUrl = z
  .string()
  .regex(
    /^(?:env$|https?:\/\/[^\s/@]+(?:\/[^\s@]*)?$)/,
    'must be the address of an OTLP/HTTP collector, like "http://127.0.0.1:4318/v1/traces", or "env"; credentials go into OTEL_EXPORTER_OTLP_HEADERS, with "env"',
  )

/**
 * Traces and metrics of a project's worker, and metrics of the workflow worker; off unless named.
 */
export const TelemetrySettings = z.strictObject({
  /**
   * Where spans go, by OTLP over HTTP. `env`: use the OTEL_EXPORTER_OTLP_ variables, which are
   * ignored otherwise.
   */
  traces: CollectorUrl.optional(),
  /** Where Prometheus may scrape; on 127.0.0.1 if no address is given. */
  metrics: ListenAddress.optional(),
  serviceName: z.string().min(1).max(100).default('ratchet'),
})
export type TelemetrySettings = z.infer<typeof TelemetrySettings>
