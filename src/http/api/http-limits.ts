/** Bounds on what a client may send and on how long it may take. */
export interface Limits {
  /** Largest body, in bytes. A list of 1,000 objects with their trees fits. */
  readonly bodyBytes: number
  /** Largest multipart body, in bytes; it may hold files. */
  readonly multipartBytes: number
  /** Maximum number of bytes of memory that all large bodies together may use while they arrive. */
  readonly bodiesBytes: number
  /** Deepest nesting of a body. */
  readonly depth: number
  /** Largest body of a request with a client key, which any visitor may have. */
  readonly clientBodyBytes: number
  /** Maximum number of names in a whole body, and in each object of the body. */
  readonly names: number
  readonly objectNames: number
  /** Maximum number of fields of a form or parts of a multipart body. */
  readonly fields: number
  /** Maximum number of parameters of a query string. */
  readonly parameters: number
  /** Largest request line and headers, in bytes. */
  readonly headerBytes: number
  /** Milliseconds that a request may take to arrive. */
  readonly requestMilliseconds: number
  /** Maximum number of connections at once; beyond that, an idle connection is closed. */
  readonly connections: number
  /** Milliseconds that a connection may stay idle between requests. */
  readonly keepAliveMilliseconds: number
  /** Maximum number of requests with one key in a minute; 0: no limit. */
  readonly keyRate: number
  /** Maximum number of requests from one address in a minute; 0: no limit. */
  readonly addressRate: number
  /** Maximum number of requests with unknown keys from one address in a minute; 0: no limit. */
  readonly unknownKeyRate: number
  /** Maximum number of notifications of gateways from one address in a minute; 0: no limit. */
  readonly notificationRate: number
  /** Largest notification, in bytes. */
  readonly notificationBytes: number
  /** Maximum number of attempts to sign in from one address in a minute, and of attempts to sign up; 0: no limit. */
  readonly signInRate: number
  readonly signUpRate: number
  /** Milliseconds for which a stop waits for requests and jobs that have begun. */
  readonly stopMilliseconds: number
}

export const LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  multipartBytes: 11 * 1024 * 1024,
  bodiesBytes: 256 * 1024 * 1024,
  clientBodyBytes: 128 * 1024,
  names: 250_000,
  objectNames: 10_000,
  depth: 32,
  fields: 20_000,
  parameters: 1_000,
  headerBytes: 64 * 1024,
  requestMilliseconds: 30_000,
  connections: 2_000,
  keepAliveMilliseconds: 72_000,
  keyRate: 0,
  addressRate: 0,
  unknownKeyRate: 1_000,
  notificationRate: 6_000,
  notificationBytes: 512 * 1024,
  signInRate: 60,
  signUpRate: 10,
  stopMilliseconds: 20_000,
}
