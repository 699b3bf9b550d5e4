/** Answers over HTTP of which no more is read than is allowed. */

/**
 * The same answer with a body that ends where `allows`, which is told the bytes of each decompressed chunk, says no. What
 * it throws is what whoever reads the body gets.
 */
export function withBoundedBody(response: Response, allows: (bytes: number) => boolean): Response {
  const { body, headers, status, statusText } = response;
  if (!body) return response;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) =>
      allows(chunk.byteLength) ? controller.enqueue(chunk) : controller.terminate(),
  });
  return new Response(body.pipeThrough(bounded), { headers, status, statusText });
}
