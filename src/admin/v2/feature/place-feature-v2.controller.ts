import { Controller, Delete, Get, Put } from '@nestjs/common';
import { orgNotFound } from '../../../org/org.errors.js';
import { userNotFound } from '../../../user/user.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { unstoredDetails } from '../kit/object.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  FeaturesOfPlaceV2,
  GetOrganizationFeaturesRequestV2,
  GetUserFeaturesRequestV2,
  OrganizationFeaturesRequestV2,
  UserFeaturesRequestV2,
} from './place-feature.dto.js';

const NONE = 'There are no switches of this kind: accepted, and changes nothing.';

/** The features of organizations and users, of which there are none. */
@Tagged('Features v2')
@Controller('v2/features')
@InService('feature')
export class PlaceFeatureV2Controller {
  constructor(private readonly reach: Reach) {}

  @Get('organization/:organizationId')
  @Requires('org.read', { named: true })
  @Operation({
    id: 'GetOrganizationFeaturesV2',
    summary: 'Get the switches of an organization: there are none',
    request: GetOrganizationFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [orgNotFound()],
  })
  async getOfOrg(
    @Asking() caller: Caller,
    @Message() { organizationId }: GetOrganizationFeaturesRequestV2,
  ): Promise<FeaturesOfPlaceV2> {
    await this.reach.org(caller, 'org.read', organizationId);
    return { details: unstoredDetails(organizationId) };
  }

  @Put('organization/:organizationId')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'SetOrganizationFeaturesV2',
    summary: 'Confirm the switches of an organization',
    description: NONE,
    request: OrganizationFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [orgNotFound()],
  })
  async setOfOrg(
    @Asking() caller: Caller,
    @Message() { organizationId }: OrganizationFeaturesRequestV2,
  ): Promise<FeaturesOfPlaceV2> {
    return this.confirmOfOrg(caller, organizationId);
  }

  @Delete('organization/:organizationId')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'ResetOrganizationFeaturesV2',
    summary: 'Reset the switches of an organization',
    description: NONE,
    request: OrganizationFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [orgNotFound()],
  })
  async resetOfOrg(
    @Asking() caller: Caller,
    @Message() { organizationId }: OrganizationFeaturesRequestV2,
  ): Promise<FeaturesOfPlaceV2> {
    return this.confirmOfOrg(caller, organizationId);
  }

  @Get('user/:userId')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'GetUserFeaturesV2',
    summary: 'Get the switches of a user: there are none',
    request: GetUserFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [userNotFound()],
  })
  async getOfUser(
    @Asking() caller: Caller,
    @Message() { userId }: GetUserFeaturesRequestV2,
  ): Promise<FeaturesOfPlaceV2> {
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    return { details: unstoredDetails(orgId) };
  }

  @Put('user/:userId')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'SetUserFeaturesV2',
    summary: 'Confirm the switches of a user',
    description: NONE,
    request: UserFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [userNotFound()],
  })
  async setOfUser(@Asking() caller: Caller, @Message() { userId }: UserFeaturesRequestV2): Promise<FeaturesOfPlaceV2> {
    return this.confirmOfUser(caller, userId);
  }

  @Delete('user/:userId')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'ResetUserFeaturesV2',
    summary: 'Reset the switches of a user',
    description: NONE,
    request: UserFeaturesRequestV2,
    returns: FeaturesOfPlaceV2,
    refuses: [userNotFound()],
  })
  async resetOfUser(
    @Asking() caller: Caller,
    @Message() { userId }: UserFeaturesRequestV2,
  ): Promise<FeaturesOfPlaceV2> {
    return this.confirmOfUser(caller, userId);
  }

  private async confirmOfOrg(caller: Caller, orgId: string): Promise<FeaturesOfPlaceV2> {
    await this.reach.org(caller, 'org.write', orgId);
    return { details: unstoredDetails(orgId) };
  }

  private async confirmOfUser(caller: Caller, userId: string): Promise<FeaturesOfPlaceV2> {
    const { orgId } = await this.reach.user(caller, 'user.write', userId);
    return { details: unstoredDetails(orgId) };
  }
}
