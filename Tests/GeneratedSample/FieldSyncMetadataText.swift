// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata that the classes were made from.
enum FieldSyncMetadataText {
    static let xml = """
<?xml version=\"1.0\" encoding=\"utf-8\"?>
<edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"4.0\">
  <edmx:DataServices>
    <Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"FieldService\">
      <EntityType Name=\"Customer\">
        <Key>
          <PropertyRef Name=\"Id\"/>
        </Key>
        <Property Name=\"Id\" Type=\"Edm.Guid\" Nullable=\"false\"/>
        <Property Name=\"Number\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Name\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Email\" Type=\"Edm.String\"/>
        <Property Name=\"Phone\" Type=\"Edm.String\"/>
        <Property Name=\"Industry\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"CreditLimit\" Type=\"Edm.Decimal\" Precision=\"12\" Scale=\"2\"/>
        <Property Name=\"Rating\" Type=\"Edm.Double\"/>
        <Property Name=\"IsActive\" Type=\"Edm.Boolean\" Nullable=\"false\" DefaultValue=\"1\"/>
        <Property Name=\"CustomerSince\" Type=\"Edm.Date\"/>
        <Property Name=\"ModifiedAt\" Type=\"Edm.DateTimeOffset\" Nullable=\"false\" Precision=\"7\"/>
        <Property Name=\"Notes\" Type=\"Edm.String\"/>
        <NavigationProperty Name=\"Sites\" Type=\"Collection(FieldService.Site)\" Partner=\"Customer\"/>
      </EntityType>
      <EntityType Name=\"EquipmentItem\">
        <Key>
          <PropertyRef Name=\"SerialNumber\"/>
        </Key>
        <Property Name=\"SerialNumber\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"SiteId\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"ParentSerialNumber\" Type=\"Edm.String\"/>
        <Property Name=\"Model\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Manufacturer\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Status\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"InstalledOn\" Type=\"Edm.Date\" Nullable=\"false\"/>
        <Property Name=\"WarrantyUntil\" Type=\"Edm.Date\"/>
        <Property Name=\"Price\" Type=\"Edm.Decimal\" Nullable=\"false\" Precision=\"10\" Scale=\"2\"/>
        <Property Name=\"OperatingSeconds\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"ServiceInterval\" Type=\"Edm.Duration\" Precision=\"7\"/>
        <NavigationProperty Name=\"Site\" Type=\"FieldService.Site\" Nullable=\"false\" Partner=\"Equipment\">
          <ReferentialConstraint Property=\"SiteId\" ReferencedProperty=\"Id\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"Parent\" Type=\"FieldService.EquipmentItem\" Partner=\"Equipment_Parent\">
          <ReferentialConstraint Property=\"ParentSerialNumber\" ReferencedProperty=\"SerialNumber\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"Equipment_Parent\" Type=\"Collection(FieldService.EquipmentItem)\" Partner=\"Parent\"/>
        <NavigationProperty Name=\"WorkOrders\" Type=\"Collection(FieldService.WorkOrder)\" Partner=\"Equipment\"/>
      </EntityType>
      <EntityType Name=\"Photo\">
        <Key>
          <PropertyRef Name=\"Id\"/>
        </Key>
        <Property Name=\"Id\" Type=\"Edm.Guid\" Nullable=\"false\"/>
        <Property Name=\"WorkOrderId\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Caption\" Type=\"Edm.String\"/>
        <Property Name=\"ContentType\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Content\" Type=\"Edm.Binary\" Nullable=\"false\"/>
        <Property Name=\"ByteCount\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"TakenAt\" Type=\"Edm.DateTimeOffset\" Nullable=\"false\" Precision=\"7\"/>
        <NavigationProperty Name=\"WorkOrder\" Type=\"FieldService.WorkOrder\" Nullable=\"false\" Partner=\"Photos\">
          <ReferentialConstraint Property=\"WorkOrderId\" ReferencedProperty=\"Id\"/>
        </NavigationProperty>
      </EntityType>
      <EntityType Name=\"Site\">
        <Key>
          <PropertyRef Name=\"Id\"/>
        </Key>
        <Property Name=\"Id\" Type=\"Edm.Int64\" Nullable=\"false\">
          <Annotation Term=\"Org.OData.Core.V1.ComputedDefaultValue\" Bool=\"true\"/>
        </Property>
        <Property Name=\"CustomerId\" Type=\"Edm.Guid\" Nullable=\"false\"/>
        <Property Name=\"Name\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Street\" Type=\"Edm.String\"/>
        <Property Name=\"City\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"PostalCode\" Type=\"Edm.String\"/>
        <Property Name=\"Country\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Latitude\" Type=\"Edm.Double\"/>
        <Property Name=\"Longitude\" Type=\"Edm.Double\"/>
        <Property Name=\"OpensAt\" Type=\"Edm.TimeOfDay\" Precision=\"7\"/>
        <Property Name=\"HasParking\" Type=\"Edm.Boolean\" Nullable=\"false\"/>
        <NavigationProperty Name=\"Equipment\" Type=\"Collection(FieldService.EquipmentItem)\" Partner=\"Site\"/>
        <NavigationProperty Name=\"Customer\" Type=\"FieldService.Customer\" Nullable=\"false\" Partner=\"Sites\">
          <ReferentialConstraint Property=\"CustomerId\" ReferencedProperty=\"Id\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"WorkOrders\" Type=\"Collection(FieldService.WorkOrder)\" Partner=\"Site\"/>
      </EntityType>
      <EntityType Name=\"TimeEntry\">
        <Key>
          <PropertyRef Name=\"WorkOrderId\"/>
          <PropertyRef Name=\"Position\"/>
        </Key>
        <Property Name=\"WorkOrderId\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Position\" Type=\"Edm.Int32\" Nullable=\"false\"/>
        <Property Name=\"Technician\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"StartedAt\" Type=\"Edm.DateTimeOffset\" Nullable=\"false\" Precision=\"7\"/>
        <Property Name=\"Duration\" Type=\"Edm.Duration\" Nullable=\"false\" Precision=\"7\"/>
        <Property Name=\"Hours\" Type=\"Edm.Decimal\" Nullable=\"false\" Precision=\"5\" Scale=\"2\"/>
        <Property Name=\"IsOvertime\" Type=\"Edm.Boolean\" Nullable=\"false\"/>
        <Property Name=\"Note\" Type=\"Edm.String\"/>
        <NavigationProperty Name=\"WorkOrder\" Type=\"FieldService.WorkOrder\" Nullable=\"false\" Partner=\"TimeEntries\">
          <ReferentialConstraint Property=\"WorkOrderId\" ReferencedProperty=\"Id\"/>
        </NavigationProperty>
      </EntityType>
      <EntityType Name=\"WorkOrder\">
        <Key>
          <PropertyRef Name=\"Id\"/>
        </Key>
        <Property Name=\"Id\" Type=\"Edm.Int64\" Nullable=\"false\">
          <Annotation Term=\"Org.OData.Core.V1.ComputedDefaultValue\" Bool=\"true\"/>
        </Property>
        <Property Name=\"SiteId\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"EquipmentSerialNumber\" Type=\"Edm.String\"/>
        <Property Name=\"Number\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Title\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Description\" Type=\"Edm.String\"/>
        <Property Name=\"Priority\" Type=\"Edm.Int32\" Nullable=\"false\"/>
        <Property Name=\"Status\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"CreatedAt\" Type=\"Edm.DateTimeOffset\" Nullable=\"false\" Precision=\"7\"/>
        <Property Name=\"ScheduledAt\" Type=\"Edm.DateTimeOffset\" Precision=\"7\"/>
        <Property Name=\"CompletedOn\" Type=\"Edm.Date\"/>
        <Property Name=\"EstimatedDuration\" Type=\"Edm.Duration\" Precision=\"7\"/>
        <Property Name=\"Cost\" Type=\"Edm.Decimal\" Precision=\"10\" Scale=\"2\"/>
        <Property Name=\"IsBillable\" Type=\"Edm.Boolean\" Nullable=\"false\"/>
        <Property Name=\"AssignedTo\" Type=\"Edm.String\"/>
        <NavigationProperty Name=\"Photos\" Type=\"Collection(FieldService.Photo)\" Partner=\"WorkOrder\">
          <OnDelete Action=\"Cascade\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"TimeEntries\" Type=\"Collection(FieldService.TimeEntry)\" Partner=\"WorkOrder\">
          <OnDelete Action=\"Cascade\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"Site\" Type=\"FieldService.Site\" Nullable=\"false\" Partner=\"WorkOrders\">
          <ReferentialConstraint Property=\"SiteId\" ReferencedProperty=\"Id\"/>
        </NavigationProperty>
        <NavigationProperty Name=\"Equipment\" Type=\"FieldService.EquipmentItem\" Partner=\"WorkOrders\">
          <ReferentialConstraint Property=\"EquipmentSerialNumber\" ReferencedProperty=\"SerialNumber\"/>
        </NavigationProperty>
      </EntityType>
      <Function Name=\"GetOrdersOf\">
        <Parameter Name=\"site\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <ReturnType Type=\"Collection(FieldService.WorkOrder)\" Nullable=\"false\"/>
      </Function>
      <Function Name=\"GetOrderCount\">
        <Parameter Name=\"priority\" Type=\"Edm.Int16\"/>
        <ReturnType Type=\"Edm.Int64\"/>
      </Function>
      <Action Name=\"CloseOrder\">
        <Parameter Name=\"id\" Type=\"Edm.Int64\" Nullable=\"false\"/>
      </Action>
      <EntityContainer Name=\"Container\">
        <EntitySet Name=\"Customers\" EntityType=\"FieldService.Customer\">
          <NavigationPropertyBinding Path=\"Sites\" Target=\"Sites\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <EntitySet Name=\"Equipment\" EntityType=\"FieldService.EquipmentItem\">
          <NavigationPropertyBinding Path=\"Site\" Target=\"Sites\"/>
          <NavigationPropertyBinding Path=\"Parent\" Target=\"Equipment\"/>
          <NavigationPropertyBinding Path=\"Equipment_Parent\" Target=\"Equipment\"/>
          <NavigationPropertyBinding Path=\"WorkOrders\" Target=\"WorkOrders\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <EntitySet Name=\"Photos\" EntityType=\"FieldService.Photo\">
          <NavigationPropertyBinding Path=\"WorkOrder\" Target=\"WorkOrders\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <EntitySet Name=\"Sites\" EntityType=\"FieldService.Site\">
          <NavigationPropertyBinding Path=\"Equipment\" Target=\"Equipment\"/>
          <NavigationPropertyBinding Path=\"Customer\" Target=\"Customers\"/>
          <NavigationPropertyBinding Path=\"WorkOrders\" Target=\"WorkOrders\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <EntitySet Name=\"TimeEntries\" EntityType=\"FieldService.TimeEntry\">
          <NavigationPropertyBinding Path=\"WorkOrder\" Target=\"WorkOrders\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <EntitySet Name=\"WorkOrders\" EntityType=\"FieldService.WorkOrder\">
          <NavigationPropertyBinding Path=\"Photos\" Target=\"Photos\"/>
          <NavigationPropertyBinding Path=\"TimeEntries\" Target=\"TimeEntries\"/>
          <NavigationPropertyBinding Path=\"Site\" Target=\"Sites\"/>
          <NavigationPropertyBinding Path=\"Equipment\" Target=\"Equipment\"/>
          <Annotation Term=\"Org.OData.Capabilities.V1.ChangeTracking\">
            <Record>
              <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.SearchRestrictions\">
            <Record>
              <PropertyValue Property=\"Searchable\" Bool=\"false\"/>
            </Record>
          </Annotation>
          <Annotation Term=\"Org.OData.Core.V1.OptimisticConcurrency\">
            <Collection/>
          </Annotation>
          <Annotation Term=\"Org.OData.Capabilities.V1.UpdateRestrictions\">
            <Record>
              <PropertyValue Property=\"Upsertable\" Bool=\"false\"/>
              <PropertyValue Property=\"DeltaUpdateSupported\" Bool=\"false\"/>
            </Record>
          </Annotation>
        </EntitySet>
        <FunctionImport Name=\"GetOrdersOf\" Function=\"FieldService.GetOrdersOf\" EntitySet=\"WorkOrders\"/>
        <FunctionImport Name=\"GetOrderCount\" Function=\"FieldService.GetOrderCount\"/>
        <ActionImport Name=\"CloseOrder\" Action=\"FieldService.CloseOrder\"/>
        <Annotation Term=\"Org.OData.Capabilities.V1.ConformanceLevel\" EnumMember=\"Org.OData.Capabilities.V1.ConformanceLevelType/Minimal\"/>
        <Annotation Term=\"Org.OData.Capabilities.V1.BatchSupported\" Bool=\"true\"/>
        <Annotation Term=\"Org.OData.Capabilities.V1.BatchContinueOnErrorSupported\" Bool=\"true\"/>
        <Annotation Term=\"Org.OData.Capabilities.V1.BatchSupport\">
          <Record>
            <PropertyValue Property=\"Supported\" Bool=\"true\"/>
            <PropertyValue Property=\"ContinueOnErrorSupported\" Bool=\"true\"/>
            <PropertyValue Property=\"ReferencesInRequestBodiesSupported\" Bool=\"true\"/>
            <PropertyValue Property=\"EtagReferencesSupported\" Bool=\"true\"/>
            <PropertyValue Property=\"RequestDependencyConditionsSupported\" Bool=\"true\"/>
          </Record>
        </Annotation>
        <Annotation Term=\"Org.OData.Capabilities.V1.AsynchronousRequestsSupported\" Bool=\"false\"/>
        <Annotation Term=\"Org.OData.Capabilities.V1.DeepInsertSupport\">
          <Record>
            <PropertyValue Property=\"Supported\" Bool=\"true\"/>
          </Record>
        </Annotation>
        <Annotation Term=\"Org.OData.Capabilities.V1.DeepUpdateSupport\">
          <Record>
            <PropertyValue Property=\"Supported\" Bool=\"false\"/>
          </Record>
        </Annotation>
        <Annotation Term=\"Org.OData.Repeatability.V1.Supported\" Bool=\"true\"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
"""
}
