import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { Secret } from 'gatehouse';
import { type ArrivedMail, mailTransportContract } from 'gatehouse/testing';
import { HttpMail } from './http.mail.js';
import { MailSettings } from './mail.settings.js';

const STATUS = { take: 202, refuse: 422, busy: 503, silent: undefined };
const KEY = 'key-of-the-mail-service';
const arrived: ArrivedMail[] = [];
let how: keyof typeof STATUS = 'take';

/** The service that sends the mails. */
const service = createServer(async (request, response) => {
  const body = JSON.parse((await request.toArray()).join('')) as ArrivedMail & { attachments: Attachment[] };
  const status = request.headers.authorization === `Bearer ${KEY}` ? STATUS[how] : 401;
  if (status === undefined) return;
  const images = body.attachments.map((one) => ({ ...one, content: Buffer.from(one.content, 'base64') }));
  if (status === 202) arrived.push({ ...body, images });
  response.writeHead(status).end();
});
interface Attachment {
  contentType: string;
  content: string;
}

await once(service.listen(0, '127.0.0.1'), 'listening');
after(() => service.close().closeAllConnections());
const url = new URL(`http://127.0.0.1:${(service.address() as { port: number }).port}/send`);

for (const { name, run } of mailTransportContract({
  make: () => new HttpMail(new MailSettings(url, new Secret(KEY))),
  receiver: {
    arrived: () => arrived,
    answer: (next) => {
      how = next;
    },
  },
  secrets: [KEY],
})) {
  void test(name, run); // not one by one: `after` would not wait for the next one
}
