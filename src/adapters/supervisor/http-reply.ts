// One request over HTTP, and its whole answer.
import { request, type RequestOptions } from 'node:http'

export type Reply = { status: number; text: string }

export function reply(options: RequestOptions, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    asked.once('error', reject).end(body)
  })
}
