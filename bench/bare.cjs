// A client of an MCP server that calls one tool and prints its text, written by hand with nothing else in it: the least that
// such a call can cost. node bare.cjs <tool> <address, or words of a command>
const [tool, ...words] = process.argv.slice(2);
const clientInfo = { name: 'bare', version: '1' };
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const ask = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const ready = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const call = ask(2, 'tools/call', { name: tool, arguments: {} });
const print = ({ result }) => console.log(result.content.map(({ text }) => text).join('\n'));

if (/^http:/.test(words[0])) {
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (body, then) =>
    http
      .request(words[0], { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => then(text, response));
      })
      .end(body);
  post(ask(1, 'initialize', hello), (_text, response) => {
    headers['mcp-session-id'] = response.headers['mcp-session-id'];
    post(ready, () =>
      post(call, (text) => {
        print(JSON.parse(text));
        http.request(words[0], { method: 'DELETE', agent, headers }, () => agent.destroy()).end();
      }),
    );
  });
} else {
  const { spawn } = require('node:child_process');
  const server = spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  let rest = '';
  server.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id === 1) server.stdin.write(`${ready}\n${call}\n`);
      else if (message.id === 2) {
        print(message);
        server.kill();
      }
    }
  });
  server.stdin.write(`${ask(1, 'initialize', hello)}\n`);
}
