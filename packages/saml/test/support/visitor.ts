import type { Arrival, Browser, RelyingParty, TestPerson, World } from 'gatehouse/testing';
import type { OutgoingMessage } from '../../src/bindings/message.js';
import type { SignedInPerson } from '../../src/sp/read-response.js';
import type { NewAuthnRequest } from '../../src/sp/write-authn-request.js';
import type { Sending, ServiceProviderPeer } from './service-provider.js';

/** Somebody in front of a browser. */
export class Visitor {
  private constructor(
    private readonly party: RelyingParty,
    readonly person: TestPerson,
  ) {}

  static async arrive(world: World, person: TestPerson): Promise<Visitor> {
    return new Visitor(world.party(await world.add.application()), person);
  }

  /** The same person in another browser. */
  elsewhere(): Visitor {
    return new Visitor(this.party.elsewhere(), this.person);
  }

  get browser(): Browser {
    return this.party.browser;
  }

  /** Goes to Gatehouse with a request of an application. */
  async bring(at: ServiceProviderPeer, request: OutgoingMessage, sending: Sending = {}): Promise<Arrival> {
    return this.browser.get(at.url(request, sending));
  }

  /** Posts a request of an application, and then what Gatehouse has the browser send once more. */
  async post(at: ServiceProviderPeer, request: OutgoingMessage, sending: Sending = {}): Promise<Arrival> {
    const first = await this.browser.post(at.ourSignOn, at.form(request, sending));
    const again = at.posted(first, at.ourSignOn);
    return again ? this.browser.post(at.ourSignOn, again) : first;
  }

  /** Past the pages; what is only offered is declined. */
  async signIn(arrival: Arrival): Promise<Arrival> {
    const past = await this.party.enter(arrival, this.person);
    const isOffer = past.page?.find('button[name="factor"][value="skip"]') != null;
    return isOffer ? this.browser.submit(past.page, { factor: 'skip' }) : past;
  }

  /** From an application to Gatehouse and back, as whom it then knows. */
  async enter(at: ServiceProviderPeer, over: Partial<NewAuthnRequest> = {}): Promise<SignedInPerson> {
    const request = at.request(over);
    return at.person(await this.signIn(await this.bring(at, request)), request.id);
  }

  /** Whether a page would be needed to sign in: nobody is signed in in this browser. */
  async isSignedOut(at: ServiceProviderPeer): Promise<boolean> {
    const arrival = await this.bring(at, at.request({ isPassive: true }));
    return at.status(arrival) === 'Responder NoPassive';
  }
}
