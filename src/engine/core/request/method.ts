/** The verbs of the interface. Spec: "Endpoints", generic operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
