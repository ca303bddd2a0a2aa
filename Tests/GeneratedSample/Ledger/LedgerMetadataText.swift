// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata that the classes were made from.
enum LedgerMetadataText {
    static let xml = """
<?xml version=\"1.0\" encoding=\"utf-8\"?>
<edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"4.0\">
  <edmx:DataServices>
    <Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"Database\">
      <EntityType Name=\"Accounts\">
        <Key>
          <PropertyRef Name=\"Region\"/>
          <PropertyRef Name=\"Number\"/>
        </Key>
        <Property Name=\"Region\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Number\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Name\" Type=\"Edm.String\"/>
        <NavigationProperty Name=\"Entries\" Type=\"Collection(Database.Entries)\" Partner=\"Accounts\"/>
      </EntityType>
      <EntityType Name=\"Entries\">
        <Key>
          <PropertyRef Name=\"Region\"/>
          <PropertyRef Name=\"Number\"/>
          <PropertyRef Name=\"Line\"/>
        </Key>
        <Property Name=\"Region\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Number\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Line\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Amount\" Type=\"Edm.Decimal\" Precision=\"10\" Scale=\"2\"/>
        <NavigationProperty Name=\"Accounts\" Type=\"Database.Accounts\" Nullable=\"false\" Partner=\"Entries\">
          <ReferentialConstraint Property=\"Region\" ReferencedProperty=\"Region\"/>
          <ReferentialConstraint Property=\"Number\" ReferencedProperty=\"Number\"/>
        </NavigationProperty>
      </EntityType>
      <EntityContainer Name=\"Container\">
        <EntitySet Name=\"Accounts\" EntityType=\"Database.Accounts\">
          <NavigationPropertyBinding Path=\"Entries\" Target=\"Entries\"/>
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
        <EntitySet Name=\"Entries\" EntityType=\"Database.Entries\">
          <NavigationPropertyBinding Path=\"Accounts\" Target=\"Accounts\"/>
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
