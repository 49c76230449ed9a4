import { describe, expect, it } from '@jest/globals';
import { Form } from '../foundation/http/form.js';
import { paths } from '../org/instance/paths.js';
import { sentForm } from './sent-form.js';

describe('A form in the address of its page', () => {
  it('is what the page shows again, and nothing that is or may be secret [LOG-073]', () => {
    const form = Form.parse(
      'loginName=alice&firstName=A&password=p&passwordRepeat=p&oldPassword=p&newPassword=p&code=123456&codes=s' +
        '&authRequestID=v&csrf=t&pin=1&credential=%7B%22id%22%3A%22k1%22%2C%22response%22%3A%22signed%22%7D',
    );
    expect(sentForm(paths.password, form, [{ reason: 'credentialsWrong' }])).toEqual({
      path: paths.password,
      typed: { loginName: 'alice', firstName: 'A', credential: '{"id":"k1"}' },
      errors: [{ reason: 'credentialsWrong' }],
    });
  });
});
