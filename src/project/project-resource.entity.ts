import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from './project.entity.js';

/** A protected resource of a project, which clients name in their requests (RFC 8707). */
@Entity('project_resource')
@Index(['projectId'])
export class ProjectResource {
  /** The URI in the form in which spellings are compared; unique in the instance, since it becomes an audience. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  /** The URI as it was registered, and as it stands in tokens. */
  @Column({ type: 'text' })
  uri!: string;
}
